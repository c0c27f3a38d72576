; sources e44eb0215c8337c0be1ec36f239d05e04c62d83b8a20835b9b314b6b2f24cd8d
; Written by cogir.backend.write_library. Change that, or the sources, not this.

define internal double @cogir_ahead_first_ahead(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 626
  %v3 = load i64, ptr %v2
  %value.4 = bitcast i64 %v3 to double
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 625
  %v6 = load i64, ptr %v5
  %v7 = icmp ne i64 %v6, 0
  br i1 %v7, label %b1, label %b2
b1:
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 625
  store i64 0, ptr %v8
  %v9 = getelementptr inbounds i64, ptr %words.1, i32 626
  store i64 0, ptr %v9
  br label %b9
b2:
  %v10 = getelementptr inbounds i64, ptr %words.1, i32 624
  %position.11 = load i64, ptr %v10
  %v12 = icmp sle i64 %position.11, 620
  %v13 = icmp sge i64 %position.11, 624
  %v14 = or i1 %v12, %v13
  br i1 %v14, label %b3, label %b4
b3:
  call void @cogir_ahead_made_ahead(ptr %words.1)
  br label %b5
b4:
  br label %b5
b5:
  %v15 = getelementptr inbounds i64, ptr %words.1, i32 627
  %left.16 = load i64, ptr %v15
  %v17 = icmp sgt i64 %left.16, 0
  br i1 %v17, label %b6, label %b7
b6:
  %v18 = sub i64 %left.16, 1
  %v19 = getelementptr inbounds i64, ptr %words.1, i32 627
  store i64 %v18, ptr %v19
  %v20 = sub i64 %left.16, 1
  %v21 = and i64 %v20, 31
  %v22 = add i64 630, %v21
  %v23 = add i64 %v22, 688
  %v24 = icmp slt i64 %v22, 0
  %v25 = select i1 %v24, i64 %v23, i64 %v22
  %v26 = call i64 @llvm.smax.i64(i64 %v25, i64 0)
  %v27 = call i64 @llvm.smin.i64(i64 %v26, i64 687)
  %v28 = getelementptr inbounds i64, ptr %words.1, i64 %v27
  %v29 = load i64, ptr %v28
  %value.30 = bitcast i64 %v29 to double
  br label %b8
b7:
  %value.31 = call double @cogir_ahead_pair_ahead(ptr %words.1)
  br label %b8
b8:
  %v32 = phi double [ %value.30, %b6 ], [ %value.31, %b7 ]
  br label %b9
b9:
  %v33 = phi double [ %value.4, %b1 ], [ %v32, %b8 ]
  ret double %v33
}

define internal void @cogir_ahead_made_ahead(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  %v2 = alloca [16 x double], i64 1, align 64
  %v3 = alloca [16 x double], i64 1, align 64
  %v4 = alloca [16 x i64], i64 1, align 64
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 624
  %v6 = load i64, ptr %v5
  %v7 = icmp sge i64 %v6, 624
  br i1 %v7, label %b1, label %b2
b1:
  call void @cogir_mt19937_twist_ahead(ptr %words.1)
  br label %b3
b2:
  br label %b3
b3:
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 624
  %v9 = load i64, ptr %v8
  %v10 = icmp sgt i64 0, %v9
  %v11 = select i1 %v10, i64 0, i64 %v9
  %v12 = icmp slt i64 624, %v11
  %start.13 = select i1 %v12, i64 624, i64 %v11
  %v14 = sub i64 624, %start.13
  %v15 = ashr i64 %v14, 2
  %v16 = icmp slt i64 %v15, 16
  %pairs.17 = select i1 %v16, i64 %v15, i64 16
  br label %b4
b4:
  %v18 = phi i64 [ 0, %b3 ], [ %v21, %b5 ]
  %v19 = icmp slt i64 %v18, 16
  br i1 %v19, label %b5, label %b6
b5:
  %v20 = getelementptr inbounds double, ptr %v2, i64 %v18
  store double 0x0000000000000000, ptr %v20
  %v21 = add i64 %v18, 1
  br label %b4
b6:
  br label %b7
b7:
  %v22 = phi i64 [ 0, %b6 ], [ %v25, %b8 ]
  %v23 = icmp slt i64 %v22, 16
  br i1 %v23, label %b8, label %b9
b8:
  %v24 = getelementptr inbounds double, ptr %v3, i64 %v22
  store double 0x0000000000000000, ptr %v24
  %v25 = add i64 %v22, 1
  br label %b7
b9:
  br label %b10
b10:
  %v26 = phi i64 [ 0, %b9 ], [ %v29, %b11 ]
  %v27 = icmp slt i64 %v26, 16
  br i1 %v27, label %b11, label %b12
b11:
  %v28 = getelementptr inbounds i64, ptr %v4, i64 %v26
  store i64 0, ptr %v28
  %v29 = add i64 %v26, 1
  br label %b10
b12:
  br label %b13
b13:
  %i.30 = phi i64 [ 0, %b12 ], [ %v82, %b14 ]
  %i.31 = phi i64 [ 0, %b12 ], [ %i.30, %b14 ]
  %place.32 = phi i64 [ 0, %b12 ], [ %place.35, %b14 ]
  %v33 = icmp slt i64 %i.30, 16
  br i1 %v33, label %b14, label %b15
b14:
  %v34 = mul i64 4, %i.30
  %place.35 = add i64 %start.13, %v34
  %v36 = add i64 %place.35, 688
  %v37 = icmp slt i64 %place.35, 0
  %v38 = select i1 %v37, i64 %v36, i64 %place.35
  %v39 = call i64 @llvm.smax.i64(i64 %v38, i64 0)
  %v40 = call i64 @llvm.smin.i64(i64 %v39, i64 687)
  %v41 = getelementptr inbounds i64, ptr %words.1, i64 %v40
  %v42 = load i64, ptr %v41
  %v43 = add i64 %place.35, 1
  %v44 = add i64 %v43, 688
  %v45 = icmp slt i64 %v43, 0
  %v46 = select i1 %v45, i64 %v44, i64 %v43
  %v47 = call i64 @llvm.smax.i64(i64 %v46, i64 0)
  %v48 = call i64 @llvm.smin.i64(i64 %v47, i64 687)
  %v49 = getelementptr inbounds i64, ptr %words.1, i64 %v48
  %v50 = load i64, ptr %v49
  %x.51 = call double @cogir_centred_ahead(i64 %v42, i64 %v50)
  %v52 = add i64 %place.35, 2
  %v53 = add i64 %v52, 688
  %v54 = icmp slt i64 %v52, 0
  %v55 = select i1 %v54, i64 %v53, i64 %v52
  %v56 = call i64 @llvm.smax.i64(i64 %v55, i64 0)
  %v57 = call i64 @llvm.smin.i64(i64 %v56, i64 687)
  %v58 = getelementptr inbounds i64, ptr %words.1, i64 %v57
  %v59 = load i64, ptr %v58
  %v60 = add i64 %place.35, 3
  %v61 = add i64 %v60, 688
  %v62 = icmp slt i64 %v60, 0
  %v63 = select i1 %v62, i64 %v61, i64 %v60
  %v64 = call i64 @llvm.smax.i64(i64 %v63, i64 0)
  %v65 = call i64 @llvm.smin.i64(i64 %v64, i64 687)
  %v66 = getelementptr inbounds i64, ptr %words.1, i64 %v65
  %v67 = load i64, ptr %v66
  %y.68 = call double @cogir_centred_ahead(i64 %v59, i64 %v67)
  %v69 = fmul double %x.51, %x.51
  %v70 = fmul double %y.68, %y.68
  %square.71 = fadd double %v69, %v70
  %v72 = call { double, double } @cogir_normals_of_ahead(double %x.51, double %y.68, double %square.71)
  %v73 = extractvalue { double, double } %v72, 0
  %v74 = extractvalue { double, double } %v72, 1
  %v75 = getelementptr inbounds double, ptr %v2, i64 %i.30
  store double %v73, ptr %v75
  %v76 = getelementptr inbounds double, ptr %v3, i64 %i.30
  store double %v74, ptr %v76
  %v77 = call i64 @cogir_is_accepted_ahead(double %square.71)
  %v78 = icmp slt i64 %i.30, %pairs.17
  %v79 = select i1 %v78, i64 1, i64 0
  %v80 = and i64 %v77, %v79
  %v81 = getelementptr inbounds i64, ptr %v4, i64 %i.30
  store i64 %v80, ptr %v81
  %v82 = add i64 %i.30, 1
  br label %b13
b15:
  br label %b16
b16:
  %i.83 = phi i64 [ 0, %b15 ], [ %v122, %b17 ]
  %i.84 = phi i64 [ %i.31, %b15 ], [ %i.83, %b17 ]
  %place.85 = phi i64 [ %place.32, %b15 ], [ %place.92, %b17 ]
  %end.86 = phi i64 [ %start.13, %b15 ], [ %end.120, %b17 ]
  %count.87 = phi i64 [ 0, %b15 ], [ %count.121, %b17 ]
  %v88 = icmp slt i64 %i.83, 16
  br i1 %v88, label %b17, label %b18
b17:
  %pair.89 = sub i64 15, %i.83
  %v90 = getelementptr inbounds i64, ptr %v4, i64 %pair.89
  %is_one.91 = load i64, ptr %v90
  %place.92 = and i64 %count.87, 15
  %v93 = getelementptr inbounds double, ptr %v3, i64 %pair.89
  %v94 = load double, ptr %v93
  %v95 = bitcast double %v94 to i64
  %v96 = mul i64 2, %place.92
  %v97 = add i64 630, %v96
  %v98 = add i64 %v97, 688
  %v99 = icmp slt i64 %v97, 0
  %v100 = select i1 %v99, i64 %v98, i64 %v97
  %v101 = call i64 @llvm.smax.i64(i64 %v100, i64 0)
  %v102 = call i64 @llvm.smin.i64(i64 %v101, i64 687)
  %v103 = getelementptr inbounds i64, ptr %words.1, i64 %v102
  store i64 %v95, ptr %v103
  %v104 = getelementptr inbounds double, ptr %v2, i64 %pair.89
  %v105 = load double, ptr %v104
  %v106 = bitcast double %v105 to i64
  %v107 = mul i64 2, %place.92
  %v108 = add i64 630, %v107
  %v109 = add i64 %v108, 1
  %v110 = add i64 %v109, 688
  %v111 = icmp slt i64 %v109, 0
  %v112 = select i1 %v111, i64 %v110, i64 %v109
  %v113 = call i64 @llvm.smax.i64(i64 %v112, i64 0)
  %v114 = call i64 @llvm.smin.i64(i64 %v113, i64 687)
  %v115 = getelementptr inbounds i64, ptr %words.1, i64 %v114
  store i64 %v106, ptr %v115
  %v116 = icmp sgt i64 %is_one.91, %count.87
  %v117 = add i64 %pair.89, 1
  %v118 = mul i64 4, %v117
  %v119 = add i64 %start.13, %v118
  %end.120 = select i1 %v116, i64 %v119, i64 %end.86
  %count.121 = add i64 %count.87, %is_one.91
  %v122 = add i64 %i.83, 1
  br label %b16
b18:
  %v123 = getelementptr inbounds i64, ptr %words.1, i32 629
  store i64 %start.13, ptr %v123
  %v124 = mul i64 2, %count.87
  %v125 = getelementptr inbounds i64, ptr %words.1, i32 628
  store i64 %v124, ptr %v125
  %v126 = mul i64 2, %count.87
  %v127 = getelementptr inbounds i64, ptr %words.1, i32 627
  store i64 %v126, ptr %v127
  %v128 = icmp eq i64 %count.87, 0
  %v129 = mul i64 4, %pairs.17
  %v130 = add i64 %start.13, %v129
  %v131 = select i1 %v128, i64 %v130, i64 %end.86
  %v132 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %v131, ptr %v132
  ret void
}

define internal double @cogir_ahead_pair_ahead(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  br label %b1
b1:
  %x.2 = phi double [ 0x0000000000000000, %b0 ], [ %x.11, %b2 ]
  %y.3 = phi double [ 0x0000000000000000, %b0 ], [ %y.13, %b2 ]
  %square.4 = phi double [ 0x4000000000000000, %b0 ], [ %square.16, %b2 ]
  %v5 = fcmp oge double %square.4, 0x3FF0000000000000
  %v6 = fcmp oeq double %square.4, 0x0000000000000000
  %v7 = or i1 %v5, %v6
  br i1 %v7, label %b2, label %b3
b2:
  %u.8 = call double @cogir_mt19937_uniform_ahead(ptr %words.1)
  %v.9 = call double @cogir_mt19937_uniform_ahead(ptr %words.1)
  %v10 = fmul double 0x4000000000000000, %u.8
  %x.11 = fsub double %v10, 0x3FF0000000000000
  %v12 = fmul double 0x4000000000000000, %v.9
  %y.13 = fsub double %v12, 0x3FF0000000000000
  %v14 = fmul double %x.11, %x.11
  %v15 = fmul double %y.13, %y.13
  %square.16 = fadd double %v14, %v15
  br label %b1
b3:
  %v17 = call double @log(double %square.4) nobuiltin
  %v18 = fmul double 0xC000000000000000, %v17
  %v19 = fdiv double %v18, %square.4
  %factor.20 = call double @llvm.sqrt.f64(double %v19)
  %v21 = getelementptr inbounds i64, ptr %words.1, i32 625
  store i64 1, ptr %v21
  %v22 = fmul double %factor.20, %x.2
  %v23 = bitcast double %v22 to i64
  %v24 = getelementptr inbounds i64, ptr %words.1, i32 626
  store i64 %v23, ptr %v24
  %v25 = fmul double %factor.20, %y.3
  ret double %v25
}

define internal { i1, double, double } @cogir_asin_parts(double noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call double @llvm.fabs.f64(double %x.1)
  %outer.3 = fcmp ogt double %magnitude.2, 0x3FE0000000000000
  %v4 = fsub double 0x3FF0000000000000, %magnitude.2
  %v5 = fmul double 0x3FE0000000000000, %v4
  %v6 = fmul double %magnitude.2, %magnitude.2
  %z.7 = select i1 %outer.3, double %v5, double %v6
  %v8 = call double @llvm.sqrt.f64(double %z.7)
  %root.9 = select i1 %outer.3, double %v8, double %magnitude.2
  %v10 = fneg double %root.9
  %v11 = call double @llvm.fma.f64(double %v10, double %root.9, double %z.7)
  %v12 = fmul double 0x3FE0000000000000, %v11
  %missing.13 = fdiv double %v12, %root.9
  %v14 = fcmp ogt double %z.7, 0x0000000000000000
  %v15 = and i1 %outer.3, %v14
  %low.16 = select i1 %v15, double %missing.13, double 0x0000000000000000
  %v17 = fmul double %root.9, %z.7
  %v18 = call double @cogir_asin_tail(double %z.7)
  %low.19 = call double @llvm.fma.f64(double %v17, double %v18, double %low.16)
  %factor.20 = select i1 %outer.3, double 0x4000000000000000, double 0x3FF0000000000000
  %v21 = fmul double %factor.20, %root.9
  %v22 = fmul double %factor.20, %low.19
  %v23 = insertvalue { i1, double, double } poison, i1 %outer.3, 0
  %v24 = insertvalue { i1, double, double } %v23, double %v21, 1
  %v25 = insertvalue { i1, double, double } %v24, double %v22, 2
  ret { i1, double, double } %v25
}

define internal { <2 x i1>, <2 x double>, <2 x double> } @cogir_asin_parts_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %outer.3 = fcmp ogt <2 x double> %magnitude.2, splat (double 0x3FE0000000000000)
  %v4 = fsub <2 x double> splat (double 0x3FF0000000000000), %magnitude.2
  %v5 = fmul <2 x double> splat (double 0x3FE0000000000000), %v4
  %v6 = fmul <2 x double> %magnitude.2, %magnitude.2
  %z.7 = select <2 x i1> %outer.3, <2 x double> %v5, <2 x double> %v6
  %v8 = call <2 x double> @llvm.sqrt.v2f64(<2 x double> %z.7)
  %root.9 = select <2 x i1> %outer.3, <2 x double> %v8, <2 x double> %magnitude.2
  %v10 = fneg <2 x double> %root.9
  %v11 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v10, <2 x double> %root.9, <2 x double> %z.7)
  %v12 = fmul <2 x double> splat (double 0x3FE0000000000000), %v11
  %missing.13 = fdiv <2 x double> %v12, %root.9
  %v14 = fcmp ogt <2 x double> %z.7, zeroinitializer
  %v15 = and <2 x i1> %outer.3, %v14
  %low.16 = select <2 x i1> %v15, <2 x double> %missing.13, <2 x double> zeroinitializer
  %v17 = fmul <2 x double> %root.9, %z.7
  %v18 = call <2 x double> @cogir_asin_tail_v2(<2 x double> %z.7)
  %low.19 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v17, <2 x double> %v18, <2 x double> %low.16)
  %factor.20 = select <2 x i1> %outer.3, <2 x double> splat (double 0x4000000000000000), <2 x double> splat (double 0x3FF0000000000000)
  %v21 = fmul <2 x double> %factor.20, %root.9
  %v22 = fmul <2 x double> %factor.20, %low.19
  %v23 = insertvalue { <2 x i1>, <2 x double>, <2 x double> } poison, <2 x i1> %outer.3, 0
  %v24 = insertvalue { <2 x i1>, <2 x double>, <2 x double> } %v23, <2 x double> %v21, 1
  %v25 = insertvalue { <2 x i1>, <2 x double>, <2 x double> } %v24, <2 x double> %v22, 2
  ret { <2 x i1>, <2 x double>, <2 x double> } %v25
}

define internal double @cogir_asin_tail(double noundef %z.1) nounwind alwaysinline {
b0:
  %low.2 = call double @cogir_poly8(double %z.1, double 0x3FC5555555555556, double 0x3FB3333333332ECA, double 0x3FA6DB6DB6E31F13, double 0x3F9F1C71C1DB0623, double 0x3F96E8BB1C8209A2, double 0x3F91C4D35CF95421, double 0x3F8C9CF07674736A, double 0x3F8782651CAA6547)
  %high.3 = call double @cogir_poly4(double %z.1, double 0x3F852420B04B37BE, double 0x3F765A9C4DFCF8B2, double 0x3F91D189408314EE, double 0xBF8E6AAA8A0A04CC)
  %z2.4 = fmul double %z.1, %z.1
  %z4.5 = fmul double %z2.4, %z2.4
  %high.6 = call double @llvm.fma.f64(double 0x3F9D72B2BC8155F8, double %z4.5, double %high.3)
  %v7 = fmul double %z4.5, %z4.5
  %v8 = call double @llvm.fma.f64(double %high.6, double %v7, double %low.2)
  ret double %v8
}

define internal <2 x double> @cogir_asin_tail_v2(<2 x double> noundef %z.1) nounwind alwaysinline {
b0:
  %low.2 = call <2 x double> @cogir_poly8_v2(<2 x double> %z.1, <2 x double> splat (double 0x3FC5555555555556), <2 x double> splat (double 0x3FB3333333332ECA), <2 x double> splat (double 0x3FA6DB6DB6E31F13), <2 x double> splat (double 0x3F9F1C71C1DB0623), <2 x double> splat (double 0x3F96E8BB1C8209A2), <2 x double> splat (double 0x3F91C4D35CF95421), <2 x double> splat (double 0x3F8C9CF07674736A), <2 x double> splat (double 0x3F8782651CAA6547))
  %high.3 = call <2 x double> @cogir_poly4_v2(<2 x double> %z.1, <2 x double> splat (double 0x3F852420B04B37BE), <2 x double> splat (double 0x3F765A9C4DFCF8B2), <2 x double> splat (double 0x3F91D189408314EE), <2 x double> splat (double 0xBF8E6AAA8A0A04CC))
  %z2.4 = fmul <2 x double> %z.1, %z.1
  %z4.5 = fmul <2 x double> %z2.4, %z2.4
  %high.6 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3F9D72B2BC8155F8), <2 x double> %z4.5, <2 x double> %high.3)
  %v7 = fmul <2 x double> %z4.5, %z4.5
  %v8 = call <2 x double> @llvm.fma.v2f64(<2 x double> %high.6, <2 x double> %v7, <2 x double> %low.2)
  ret <2 x double> %v8
}

define internal double @cogir_at_the_edges(double noundef %x.1, double noundef %value.2) nounwind alwaysinline {
b0:
  %v3 = fcmp olt double %x.1, 0x7FF0000000000000
  %value.4 = select i1 %v3, double %value.2, double %x.1
  %v5 = fcmp oeq double %x.1, 0x0000000000000000
  %value.6 = select i1 %v5, double 0xFFF0000000000000, double %value.4
  %v7 = fcmp olt double %x.1, 0x0000000000000000
  %v8 = select i1 %v7, double 0x7FF8000000000000, double %value.6
  ret double %v8
}

define internal double @cogir_at_the_edges_fused(double noundef %x.1, double noundef %value.2) nounwind alwaysinline {
b0:
  %v3 = fcmp olt double %x.1, 0x7FF0000000000000
  %value.4 = select i1 %v3, double %value.2, double %x.1
  %v5 = fcmp oeq double %x.1, 0x0000000000000000
  %value.6 = select i1 %v5, double 0xFFF0000000000000, double %value.4
  %v7 = fcmp olt double %x.1, 0x0000000000000000
  %v8 = select i1 %v7, double 0x7FF8000000000000, double %value.6
  ret double %v8
}

define internal double @cogir_at_the_edges_separate(double noundef %x.1, double noundef %value.2) nounwind alwaysinline {
b0:
  %v3 = fcmp olt double %x.1, 0x7FF0000000000000
  %value.4 = select i1 %v3, double %value.2, double %x.1
  %v5 = fcmp oeq double %x.1, 0x0000000000000000
  %value.6 = select i1 %v5, double 0xFFF0000000000000, double %value.4
  %v7 = fcmp olt double %x.1, 0x0000000000000000
  %v8 = select i1 %v7, double 0x7FF8000000000000, double %value.6
  ret double %v8
}

define internal <2 x double> @cogir_at_the_edges_v2(<2 x double> noundef %x.1, <2 x double> noundef %value.2) nounwind alwaysinline {
b0:
  %v3 = fcmp olt <2 x double> %x.1, splat (double 0x7FF0000000000000)
  %value.4 = select <2 x i1> %v3, <2 x double> %value.2, <2 x double> %x.1
  %v5 = fcmp oeq <2 x double> %x.1, zeroinitializer
  %value.6 = select <2 x i1> %v5, <2 x double> splat (double 0xFFF0000000000000), <2 x double> %value.4
  %v7 = fcmp olt <2 x double> %x.1, zeroinitializer
  %v8 = select <2 x i1> %v7, <2 x double> splat (double 0x7FF8000000000000), <2 x double> %value.6
  ret <2 x double> %v8
}

define internal { double, double } @cogir_atan_fraction(double noundef %y.1, double noundef %x.2) nounwind alwaysinline {
b0:
  %v3 = fmul double 0x3FD0000000000000, %x.2
  %near_half.4 = fcmp ogt double %y.1, %v3
  %v5 = fmul double 0x3FE8000000000000, %x.2
  %near_one.6 = fcmp ogt double %y.1, %v5
  %v7 = select i1 %near_half.4, double 0x3FE0000000000000, double 0x0000000000000000
  %c.8 = select i1 %near_one.6, double 0x3FF0000000000000, double %v7
  %v9 = select i1 %near_half.4, double 0x3FDDAC670561BB4F, double 0x0000000000000000
  %base.10 = select i1 %near_one.6, double 0x3FE921FB54442D18, double %v9
  %v11 = select i1 %near_half.4, double 0x3C7A2B7F222F65E2, double 0x0000000000000000
  %base_low.12 = select i1 %near_one.6, double 0x3C81A62633145C07, double %v11
  %v13 = fmul double %c.8, %y.1
  %v14 = call { double, double } @cogir_fast_two_sum(double %x.2, double %v13)
  %below.15 = extractvalue { double, double } %v14, 0
  %below_low.16 = extractvalue { double, double } %v14, 1
  %v17 = fneg double %c.8
  %above.18 = call double @llvm.fma.f64(double %v17, double %x.2, double %y.1)
  %v19 = call { double, double } @cogir_pair_quotient(double %above.18, double 0x0000000000000000, double %below.15, double %below_low.16)
  %q.20 = extractvalue { double, double } %v19, 0
  %q_low.21 = extractvalue { double, double } %v19, 1
  %z.22 = fmul double %q.20, %q.20
  %z2.23 = fmul double %z.22, %z.22
  %z4.24 = fmul double %z2.23, %z2.23
  %series.25 = call double @cogir_poly8(double %z.22, double 0xBFD5555555555555, double 0x3FC9999999999993, double 0xBFC2492492491702, double 0x3FBC71C71C5C04D7, double 0xBFB745D16B7C4E49, double 0x3FB3B138FDE2862C, double 0xBFB110C47C1D3FBC, double 0x3FAE10709D34A6E0)
  %v26 = call double @llvm.fma.f64(double 0x3FA2719CFF1241C9, double %z.22, double 0xBFAA336B1824639E)
  %v27 = fmul double %z4.24, %z4.24
  %series.28 = call double @llvm.fma.f64(double %v26, double %v27, double %series.25)
  %v29 = call { double, double } @cogir_fast_two_sum(double %base.10, double %q.20)
  %high.30 = extractvalue { double, double } %v29, 0
  %low.31 = extractvalue { double, double } %v29, 1
  %v32 = fmul double %q.20, %z.22
  %v33 = fadd double %base_low.12, %q_low.21
  %v34 = call double @llvm.fma.f64(double %v32, double %series.28, double %v33)
  %v35 = fadd double %low.31, %v34
  %v36 = insertvalue { double, double } poison, double %high.30, 0
  %v37 = insertvalue { double, double } %v36, double %v35, 1
  ret { double, double } %v37
}

define internal { <2 x double>, <2 x double> } @cogir_atan_fraction_v2(<2 x double> noundef %y.1, <2 x double> noundef %x.2) nounwind alwaysinline {
b0:
  %v3 = fmul <2 x double> splat (double 0x3FD0000000000000), %x.2
  %near_half.4 = fcmp ogt <2 x double> %y.1, %v3
  %v5 = fmul <2 x double> splat (double 0x3FE8000000000000), %x.2
  %near_one.6 = fcmp ogt <2 x double> %y.1, %v5
  %v7 = select <2 x i1> %near_half.4, <2 x double> splat (double 0x3FE0000000000000), <2 x double> zeroinitializer
  %c.8 = select <2 x i1> %near_one.6, <2 x double> splat (double 0x3FF0000000000000), <2 x double> %v7
  %v9 = select <2 x i1> %near_half.4, <2 x double> splat (double 0x3FDDAC670561BB4F), <2 x double> zeroinitializer
  %base.10 = select <2 x i1> %near_one.6, <2 x double> splat (double 0x3FE921FB54442D18), <2 x double> %v9
  %v11 = select <2 x i1> %near_half.4, <2 x double> splat (double 0x3C7A2B7F222F65E2), <2 x double> zeroinitializer
  %base_low.12 = select <2 x i1> %near_one.6, <2 x double> splat (double 0x3C81A62633145C07), <2 x double> %v11
  %v13 = fmul <2 x double> %c.8, %y.1
  %v14 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %x.2, <2 x double> %v13)
  %below.15 = extractvalue { <2 x double>, <2 x double> } %v14, 0
  %below_low.16 = extractvalue { <2 x double>, <2 x double> } %v14, 1
  %v17 = fneg <2 x double> %c.8
  %above.18 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v17, <2 x double> %x.2, <2 x double> %y.1)
  %v19 = call { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> %above.18, <2 x double> zeroinitializer, <2 x double> %below.15, <2 x double> %below_low.16)
  %q.20 = extractvalue { <2 x double>, <2 x double> } %v19, 0
  %q_low.21 = extractvalue { <2 x double>, <2 x double> } %v19, 1
  %z.22 = fmul <2 x double> %q.20, %q.20
  %z2.23 = fmul <2 x double> %z.22, %z.22
  %z4.24 = fmul <2 x double> %z2.23, %z2.23
  %series.25 = call <2 x double> @cogir_poly8_v2(<2 x double> %z.22, <2 x double> splat (double 0xBFD5555555555555), <2 x double> splat (double 0x3FC9999999999993), <2 x double> splat (double 0xBFC2492492491702), <2 x double> splat (double 0x3FBC71C71C5C04D7), <2 x double> splat (double 0xBFB745D16B7C4E49), <2 x double> splat (double 0x3FB3B138FDE2862C), <2 x double> splat (double 0xBFB110C47C1D3FBC), <2 x double> splat (double 0x3FAE10709D34A6E0))
  %v26 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3FA2719CFF1241C9), <2 x double> %z.22, <2 x double> splat (double 0xBFAA336B1824639E))
  %v27 = fmul <2 x double> %z4.24, %z4.24
  %series.28 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v26, <2 x double> %v27, <2 x double> %series.25)
  %v29 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %base.10, <2 x double> %q.20)
  %high.30 = extractvalue { <2 x double>, <2 x double> } %v29, 0
  %low.31 = extractvalue { <2 x double>, <2 x double> } %v29, 1
  %v32 = fmul <2 x double> %q.20, %z.22
  %v33 = fadd <2 x double> %base_low.12, %q_low.21
  %v34 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v32, <2 x double> %series.28, <2 x double> %v33)
  %v35 = fadd <2 x double> %low.31, %v34
  %v36 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.30, 0
  %v37 = insertvalue { <2 x double>, <2 x double> } %v36, <2 x double> %v35, 1
  ret { <2 x double>, <2 x double> } %v37
}

define internal double @cogir_c_log(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call double @log(double %x.1) nobuiltin
  ret double %v2
}

; size 63 2
define internal double @cogir_c_log_fused(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call double @cogir_glibc_log_fused(double %x.1)
  ret double %v2
}

@cogir_c_log_fused_constant_0 = internal constant [128 x double] [double 0x3FF734F0C3E0DE9F, double 0x3FF713786A2CE91F, double 0x3FF6F26008FAB5A0, double 0x3FF6D1A61F138C7D, double 0x3FF6B1490BC5B4D1, double 0x3FF69147332F0CBA, double 0x3FF6719F18224223, double 0x3FF6524F99A51ED9, double 0x3FF63356AA8F24C4, double 0x3FF614B36B9DDC14, double 0x3FF5F66452C65C4C, double 0x3FF5D867B5912C4F, double 0x3FF5BABCCB5B90DE, double 0x3FF59D61F2D91A78, double 0x3FF5805612465687, double 0x3FF56397CEE76BD3, double 0x3FF54725E2A77F93, double 0x3FF52AFF42064583, double 0x3FF50F22DBB2BDDF, double 0x3FF4F38F4734DED7, double 0x3FF4D843CFDE2840, double 0x3FF4BD3EC078A3C8, double 0x3FF4A27FC3E0258A, double 0x3FF4880524D48434, double 0x3FF46DCE1B192D0B, double 0x3FF453D9D3391854, double 0x3FF43A2744B4845A, double 0x3FF420B54115F8FB, double 0x3FF40782DA3EF4B1, double 0x3FF3EE8F5D57FE8F, double 0x3FF3D5D9A00B4CE9, double 0x3FF3BD60C010C12B, double 0x3FF3A5242B75DAB8, double 0x3FF38D22CD9FD002, double 0x3FF3755BC5847A1C, double 0x3FF35DCE49AD36E2, double 0x3FF34679984DD440, double 0x3FF32F5CCEFFCB24, double 0x3FF3187775A10D49, double 0x3FF301C8373E3990, double 0x3FF2EB4EBB95F841, double 0x3FF2D50A0219A9D1, double 0x3FF2BEF9A8B7FD2A, double 0x3FF2A91C7A0C1BAB, double 0x3FF293726014B530, double 0x3FF27DFA5757A1F5, double 0x3FF268B39B1D3BBF, double 0x3FF2539D838FF5BD, double 0x3FF23EB7AAC9083B, double 0x3FF22A012BA940B6, double 0x3FF2157996CC4132, double 0x3FF201201DD2FC9B, double 0x3FF1ECF4494D480B, double 0x3FF1D8F5528F6569, double 0x3FF1C52311577E7C, double 0x3FF1B17C74CB26E9, double 0x3FF19E010C2C1AB6, double 0x3FF18AB07BB670BD, double 0x3FF1778A25EFBCB6, double 0x3FF1648D354C31DA, double 0x3FF151B990275FDD, double 0x3FF13F0EA432D24C, double 0x3FF12C8B7210F9DA, double 0x3FF11A3028ECB531, double 0x3FF107FBDA8434AF, double 0x3FF0F5EE0F4E6BB3, double 0x3FF0E4065D2A9FCE, double 0x3FF0D244632CA521, double 0x3FF0C0A77CE2981A, double 0x3FF0AF2F83C636D1, double 0x3FF09DDB98A01339, double 0x3FF08CABAF52E7DF, double 0x3FF07B9F2F4E28FB, double 0x3FF06AB58C358F19, double 0x3FF059EEA5ECF92C, double 0x3FF04949CDD12C90, double 0x3FF038C6C6F0ADA9, double 0x3FF02865137932A9, double 0x3FF0182427EA7348, double 0x3FF008040614B195, double 0x3FEFE01FF726FA1A, double 0x3FEFA11CC261EA74, double 0x3FEF6310B081992E, double 0x3FEF25F63CEEADCD, double 0x3FEEE9C8039113E7, double 0x3FEEAE8078CBB1AB, double 0x3FEE741AA29D0C9B, double 0x3FEE3A91830A99B5, double 0x3FEE01E009609A56, double 0x3FEDCA01E577BB98, double 0x3FED92F20B7C9103, double 0x3FED5CAC66FB5CCE, double 0x3FED272CAA5EDE9D, double 0x3FECF26E3E6B2CCD, double 0x3FECBE6DA2A77902, double 0x3FEC8B266D37086D, double 0x3FEC5894BD5D5804, double 0x3FEC26B533BB9F8C, double 0x3FEBF583EEECE73F, double 0x3FEBC4FD75DB96C1, double 0x3FEB951E0C864A28, double 0x3FEB65E2C5EF3E2C, double 0x3FEB374867C9888B, double 0x3FEB094B211D304A, double 0x3FEADBE885F2EF7E, double 0x3FEAAF1D31603DA2, double 0x3FEA82E63FD358A7, double 0x3FEA5740EF09738B, double 0x3FEA2C2A90AB4B27, double 0x3FEA01A01393F2D1, double 0x3FE9D79F24DB3C1B, double 0x3FE9AE2505C7B190, double 0x3FE9852EF297CE2F, double 0x3FE95CBAEEA44B75, double 0x3FE934C69DE74838, double 0x3FE90D4F2F6752E6, double 0x3FE8E6528EFFD79D, double 0x3FE8BFCE9FCC007C, double 0x3FE899C0DABEC30E, double 0x3FE87427AA2317FB, double 0x3FE84F00ACB39A08, double 0x3FE82A49E8653E55, double 0x3FE8060195F40260, double 0x3FE7E22563E0A329, double 0x3FE7BEB377DCB5AD, double 0x3FE79BAA679725C2, double 0x3FE77907F2170657, double 0x3FE756CADBD6130C], align 64

@cogir_c_log_fused_constant_1 = internal constant [128 x double] [double 0xBFD7CC7F79E69000, double 0xBFD76FEEC20D0000, double 0xBFD713E31351E000, double 0xBFD6B85B38287800, double 0xBFD65D5590807800, double 0xBFD602D076180000, double 0xBFD5A8CA86909000, double 0xBFD54F4356035000, double 0xBFD4F637C36B4000, double 0xBFD49DA7FDA85000, double 0xBFD445923989A800, double 0xBFD3EDF439B0B800, double 0xBFD396CE448F7000, double 0xBFD3401E17BDA000, double 0xBFD2E9E2EF468000, double 0xBFD2941B3830E000, double 0xBFD23EC58CDA8800, double 0xBFD1E9E129279000, double 0xBFD1956D2B48F800, double 0xBFD141679AB9F800, double 0xBFD0EDD094EF9800, double 0xBFD09AA518DB1000, double 0xBFD047E65263B800, double 0xBFCFEB224586F000, double 0xBFCF474A7517B000, double 0xBFCEA4443D103000, double 0xBFCE020D44E9B000, double 0xBFCD60A22977F000, double 0xBFCCC00104959000, double 0xBFCC202956891000, double 0xBFCB81178D811000, double 0xBFCAE2C9CCD3D000, double 0xBFCA45402E129000, double 0xBFC9A877681DF000, double 0xBFC90C6D69483000, double 0xBFC87120A645C000, double 0xBFC7D68FB4143000, double 0xBFC73CB83C627000, double 0xBFC6A39A9B376000, double 0xBFC60B3154B7A000, double 0xBFC5737D76243000, double 0xBFC4DC7B8FC23000, double 0xBFC4462C51D20000, double 0xBFC3B08ABC830000, double 0xBFC31B996B490000, double 0xBFC2875490A44000, double 0xBFC1F3B9F879A000, double 0xBFC160C8252CA000, double 0xBFC0CE7F57F72000, double 0xBFC03CDC49FEA000, double 0xBFBF57BDBC4B8000, double 0xBFBE370896404000, double 0xBFBD17983EF94000, double 0xBFBBF9674ED8A000, double 0xBFBADC79202F6000, double 0xBFB9C0C3E7288000, double 0xBFB8A646B372C000, double 0xBFB78D01B3AC0000, double 0xBFB674F145380000, double 0xBFB55E0E6D878000, double 0xBFB4485CDEA1E000, double 0xBFB333D94D6AA000, double 0xBFB22079F8C56000, double 0xBFB10E4698622000, double 0xBFAFFA6C6AD20000, double 0xBFADDA8D4A774000, double 0xBFABBCECE4850000, double 0xBFA9A1894012C000, double 0xBFA788583302C000, double 0xBFA5715E67D68000, double 0xBFA35C8A49658000, double 0xBFA149E364154000, double 0xBF9E72C082EB8000, double 0xBF9A55F152528000, double 0xBF963D62CF818000, double 0xBF9228FB8CAA0000, double 0xBF8C317B20F90000, double 0xBF8419355DAA0000, double 0xBF781203C2EC0000, double 0xBF60040979240000, double 0x3F6FEFF384900000, double 0x3F87DC41353D0000, double 0x3F93CEA3C4C28000, double 0x3F9B9FC114890000, double 0x3FA1B0D8CE110000, double 0x3FA58A5BD001C000, double 0x3FA95C8340D88000, double 0x3FAD276AEF578000, double 0x3FB07598E598C000, double 0x3FB253F5E30D2000, double 0x3FB42EDD8B380000, double 0x3FB606598757C000, double 0x3FB7DA76356A0000, double 0x3FB9AB434E1C6000, double 0x3FBB78C7BB0D6000, double 0x3FBD431332E72000, double 0x3FBF0A3171DE6000, double 0x3FC067152B914000, double 0x3FC147858292B000, double 0x3FC2266ECDCA3000, double 0x3FC303D7A6C55000, double 0x3FC3DFC33C331000, double 0x3FC4BA366B7A8000, double 0x3FC5933928D1F000, double 0x3FC66ACD2418F000, double 0x3FC740F8EC669000, double 0x3FC815C0F51AF000, double 0x3FC8E92954F68000, double 0x3FC9BB3602F84000, double 0x3FCA8BED1C2C0000, double 0x3FCB5B515C01D000, double 0x3FCC2967CCBCC000, double 0x3FCCF635D5486000, double 0x3FCDC1BD3446C000, double 0x3FCE8C01B8CFE000, double 0x3FCF5509C0179000, double 0x3FD00E6C121FB800, double 0x3FD071B80E93D000, double 0x3FD0D46B9E867000, double 0x3FD13687334BD000, double 0x3FD1980D67234800, double 0x3FD1F8FFE0CC8000, double 0x3FD2595FD7636800, double 0x3FD2B9300914A800, double 0x3FD3187210436000, double 0x3FD377266DEC1800, double 0x3FD3D54FFBAF3000, double 0x3FD432EEE32FE000], align 64

; size 80 4
define internal double @cogir_c_log_separate(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call double @cogir_glibc_log_separate(double %x.1)
  ret double %v2
}

@cogir_c_log_separate_constant_0 = internal constant [128 x double] [double 0x3FF734F0C3E0DE9F, double 0x3FF713786A2CE91F, double 0x3FF6F26008FAB5A0, double 0x3FF6D1A61F138C7D, double 0x3FF6B1490BC5B4D1, double 0x3FF69147332F0CBA, double 0x3FF6719F18224223, double 0x3FF6524F99A51ED9, double 0x3FF63356AA8F24C4, double 0x3FF614B36B9DDC14, double 0x3FF5F66452C65C4C, double 0x3FF5D867B5912C4F, double 0x3FF5BABCCB5B90DE, double 0x3FF59D61F2D91A78, double 0x3FF5805612465687, double 0x3FF56397CEE76BD3, double 0x3FF54725E2A77F93, double 0x3FF52AFF42064583, double 0x3FF50F22DBB2BDDF, double 0x3FF4F38F4734DED7, double 0x3FF4D843CFDE2840, double 0x3FF4BD3EC078A3C8, double 0x3FF4A27FC3E0258A, double 0x3FF4880524D48434, double 0x3FF46DCE1B192D0B, double 0x3FF453D9D3391854, double 0x3FF43A2744B4845A, double 0x3FF420B54115F8FB, double 0x3FF40782DA3EF4B1, double 0x3FF3EE8F5D57FE8F, double 0x3FF3D5D9A00B4CE9, double 0x3FF3BD60C010C12B, double 0x3FF3A5242B75DAB8, double 0x3FF38D22CD9FD002, double 0x3FF3755BC5847A1C, double 0x3FF35DCE49AD36E2, double 0x3FF34679984DD440, double 0x3FF32F5CCEFFCB24, double 0x3FF3187775A10D49, double 0x3FF301C8373E3990, double 0x3FF2EB4EBB95F841, double 0x3FF2D50A0219A9D1, double 0x3FF2BEF9A8B7FD2A, double 0x3FF2A91C7A0C1BAB, double 0x3FF293726014B530, double 0x3FF27DFA5757A1F5, double 0x3FF268B39B1D3BBF, double 0x3FF2539D838FF5BD, double 0x3FF23EB7AAC9083B, double 0x3FF22A012BA940B6, double 0x3FF2157996CC4132, double 0x3FF201201DD2FC9B, double 0x3FF1ECF4494D480B, double 0x3FF1D8F5528F6569, double 0x3FF1C52311577E7C, double 0x3FF1B17C74CB26E9, double 0x3FF19E010C2C1AB6, double 0x3FF18AB07BB670BD, double 0x3FF1778A25EFBCB6, double 0x3FF1648D354C31DA, double 0x3FF151B990275FDD, double 0x3FF13F0EA432D24C, double 0x3FF12C8B7210F9DA, double 0x3FF11A3028ECB531, double 0x3FF107FBDA8434AF, double 0x3FF0F5EE0F4E6BB3, double 0x3FF0E4065D2A9FCE, double 0x3FF0D244632CA521, double 0x3FF0C0A77CE2981A, double 0x3FF0AF2F83C636D1, double 0x3FF09DDB98A01339, double 0x3FF08CABAF52E7DF, double 0x3FF07B9F2F4E28FB, double 0x3FF06AB58C358F19, double 0x3FF059EEA5ECF92C, double 0x3FF04949CDD12C90, double 0x3FF038C6C6F0ADA9, double 0x3FF02865137932A9, double 0x3FF0182427EA7348, double 0x3FF008040614B195, double 0x3FEFE01FF726FA1A, double 0x3FEFA11CC261EA74, double 0x3FEF6310B081992E, double 0x3FEF25F63CEEADCD, double 0x3FEEE9C8039113E7, double 0x3FEEAE8078CBB1AB, double 0x3FEE741AA29D0C9B, double 0x3FEE3A91830A99B5, double 0x3FEE01E009609A56, double 0x3FEDCA01E577BB98, double 0x3FED92F20B7C9103, double 0x3FED5CAC66FB5CCE, double 0x3FED272CAA5EDE9D, double 0x3FECF26E3E6B2CCD, double 0x3FECBE6DA2A77902, double 0x3FEC8B266D37086D, double 0x3FEC5894BD5D5804, double 0x3FEC26B533BB9F8C, double 0x3FEBF583EEECE73F, double 0x3FEBC4FD75DB96C1, double 0x3FEB951E0C864A28, double 0x3FEB65E2C5EF3E2C, double 0x3FEB374867C9888B, double 0x3FEB094B211D304A, double 0x3FEADBE885F2EF7E, double 0x3FEAAF1D31603DA2, double 0x3FEA82E63FD358A7, double 0x3FEA5740EF09738B, double 0x3FEA2C2A90AB4B27, double 0x3FEA01A01393F2D1, double 0x3FE9D79F24DB3C1B, double 0x3FE9AE2505C7B190, double 0x3FE9852EF297CE2F, double 0x3FE95CBAEEA44B75, double 0x3FE934C69DE74838, double 0x3FE90D4F2F6752E6, double 0x3FE8E6528EFFD79D, double 0x3FE8BFCE9FCC007C, double 0x3FE899C0DABEC30E, double 0x3FE87427AA2317FB, double 0x3FE84F00ACB39A08, double 0x3FE82A49E8653E55, double 0x3FE8060195F40260, double 0x3FE7E22563E0A329, double 0x3FE7BEB377DCB5AD, double 0x3FE79BAA679725C2, double 0x3FE77907F2170657, double 0x3FE756CADBD6130C], align 64

@cogir_c_log_separate_constant_1 = internal constant [128 x double] [double 0xBFD7CC7F79E69000, double 0xBFD76FEEC20D0000, double 0xBFD713E31351E000, double 0xBFD6B85B38287800, double 0xBFD65D5590807800, double 0xBFD602D076180000, double 0xBFD5A8CA86909000, double 0xBFD54F4356035000, double 0xBFD4F637C36B4000, double 0xBFD49DA7FDA85000, double 0xBFD445923989A800, double 0xBFD3EDF439B0B800, double 0xBFD396CE448F7000, double 0xBFD3401E17BDA000, double 0xBFD2E9E2EF468000, double 0xBFD2941B3830E000, double 0xBFD23EC58CDA8800, double 0xBFD1E9E129279000, double 0xBFD1956D2B48F800, double 0xBFD141679AB9F800, double 0xBFD0EDD094EF9800, double 0xBFD09AA518DB1000, double 0xBFD047E65263B800, double 0xBFCFEB224586F000, double 0xBFCF474A7517B000, double 0xBFCEA4443D103000, double 0xBFCE020D44E9B000, double 0xBFCD60A22977F000, double 0xBFCCC00104959000, double 0xBFCC202956891000, double 0xBFCB81178D811000, double 0xBFCAE2C9CCD3D000, double 0xBFCA45402E129000, double 0xBFC9A877681DF000, double 0xBFC90C6D69483000, double 0xBFC87120A645C000, double 0xBFC7D68FB4143000, double 0xBFC73CB83C627000, double 0xBFC6A39A9B376000, double 0xBFC60B3154B7A000, double 0xBFC5737D76243000, double 0xBFC4DC7B8FC23000, double 0xBFC4462C51D20000, double 0xBFC3B08ABC830000, double 0xBFC31B996B490000, double 0xBFC2875490A44000, double 0xBFC1F3B9F879A000, double 0xBFC160C8252CA000, double 0xBFC0CE7F57F72000, double 0xBFC03CDC49FEA000, double 0xBFBF57BDBC4B8000, double 0xBFBE370896404000, double 0xBFBD17983EF94000, double 0xBFBBF9674ED8A000, double 0xBFBADC79202F6000, double 0xBFB9C0C3E7288000, double 0xBFB8A646B372C000, double 0xBFB78D01B3AC0000, double 0xBFB674F145380000, double 0xBFB55E0E6D878000, double 0xBFB4485CDEA1E000, double 0xBFB333D94D6AA000, double 0xBFB22079F8C56000, double 0xBFB10E4698622000, double 0xBFAFFA6C6AD20000, double 0xBFADDA8D4A774000, double 0xBFABBCECE4850000, double 0xBFA9A1894012C000, double 0xBFA788583302C000, double 0xBFA5715E67D68000, double 0xBFA35C8A49658000, double 0xBFA149E364154000, double 0xBF9E72C082EB8000, double 0xBF9A55F152528000, double 0xBF963D62CF818000, double 0xBF9228FB8CAA0000, double 0xBF8C317B20F90000, double 0xBF8419355DAA0000, double 0xBF781203C2EC0000, double 0xBF60040979240000, double 0x3F6FEFF384900000, double 0x3F87DC41353D0000, double 0x3F93CEA3C4C28000, double 0x3F9B9FC114890000, double 0x3FA1B0D8CE110000, double 0x3FA58A5BD001C000, double 0x3FA95C8340D88000, double 0x3FAD276AEF578000, double 0x3FB07598E598C000, double 0x3FB253F5E30D2000, double 0x3FB42EDD8B380000, double 0x3FB606598757C000, double 0x3FB7DA76356A0000, double 0x3FB9AB434E1C6000, double 0x3FBB78C7BB0D6000, double 0x3FBD431332E72000, double 0x3FBF0A3171DE6000, double 0x3FC067152B914000, double 0x3FC147858292B000, double 0x3FC2266ECDCA3000, double 0x3FC303D7A6C55000, double 0x3FC3DFC33C331000, double 0x3FC4BA366B7A8000, double 0x3FC5933928D1F000, double 0x3FC66ACD2418F000, double 0x3FC740F8EC669000, double 0x3FC815C0F51AF000, double 0x3FC8E92954F68000, double 0x3FC9BB3602F84000, double 0x3FCA8BED1C2C0000, double 0x3FCB5B515C01D000, double 0x3FCC2967CCBCC000, double 0x3FCCF635D5486000, double 0x3FCDC1BD3446C000, double 0x3FCE8C01B8CFE000, double 0x3FCF5509C0179000, double 0x3FD00E6C121FB800, double 0x3FD071B80E93D000, double 0x3FD0D46B9E867000, double 0x3FD13687334BD000, double 0x3FD1980D67234800, double 0x3FD1F8FFE0CC8000, double 0x3FD2595FD7636800, double 0x3FD2B9300914A800, double 0x3FD3187210436000, double 0x3FD377266DEC1800, double 0x3FD3D54FFBAF3000, double 0x3FD432EEE32FE000], align 64

@cogir_c_log_separate_constant_2 = internal constant [128 x double] [double 0x3FE61000014FB66B, double 0x3FE63000034DB495, double 0x3FE650000D94D478, double 0x3FE67000074E6FAD, double 0x3FE68FFFFEDF0FAE, double 0x3FE6B0000763C5BC, double 0x3FE6D0001E5CC1F6, double 0x3FE6EFFFEB05F63E, double 0x3FE710000E869780, double 0x3FE72FFFFC67E912, double 0x3FE74FFFDF81116A, double 0x3FE770000F679C90, double 0x3FE78FFFFA7EC835, double 0x3FE7AFFFFE20C2E6, double 0x3FE7CFFFED3FC900, double 0x3FE7EFFFE9261A76, double 0x3FE81000049CA3E8, double 0x3FE8300017932C8F, double 0x3FE850000633739C, double 0x3FE87000204289C6, double 0x3FE88FFFEBF57904, double 0x3FE8B00022BC04DF, double 0x3FE8CFFFE50C1B8A, double 0x3FE8EFFFFC918E43, double 0x3FE910001EFA5FC7, double 0x3FE9300013467BB9, double 0x3FE94FFFE6EE076F, double 0x3FE96FFFDE3C12D1, double 0x3FE98FFFF4458A0D, double 0x3FE9AFFFDD982E3E, double 0x3FE9CFFFED49FB66, double 0x3FE9F00020F19C51, double 0x3FEA10001145B006, double 0x3FEA300007BBF6FA, double 0x3FEA500010971D79, double 0x3FEA70001DF52E48, double 0x3FEA90001C593352, double 0x3FEAB0002A4F3E4B, double 0x3FEACFFFD7AE1ED1, double 0x3FEAEFFFEE510478, double 0x3FEB0FFFDB650D5B, double 0x3FEB2FFFFEAACA57, double 0x3FEB4FFFD995BADC, double 0x3FEB7000249E659C, double 0x3FEB8FFFF9871640, double 0x3FEBAFFFD204CB4F, double 0x3FEBCFFFD2415C45, double 0x3FEBEFFFF86309DF, double 0x3FEC0FFFE1B57653, double 0x3FEC2FFFF1FA57E3, double 0x3FEC4FFFDCBFE424, double 0x3FEC6FFFED54B9F7, double 0x3FEC8FFFEB998FD5, double 0x3FECB0002125219A, double 0x3FECCFFFDD94469C, double 0x3FECEFFFEAFDC476, double 0x3FED1000169AF82B, double 0x3FED30000D0FF71D, double 0x3FED4FFFEA790FC4, double 0x3FED70002EDC87E5, double 0x3FED900021DC82AA, double 0x3FEDAFFFD86B0283, double 0x3FEDD000296C4739, double 0x3FEDEFFFE54490F5, double 0x3FEE0FFFCDABF694, double 0x3FEE2FFFDB52C8DD, double 0x3FEE4FFFF24216EF, double 0x3FEE6FFFE88A5E11, double 0x3FEE9000119EFF0D, double 0x3FEEAFFFDFA51744, double 0x3FEED0001A127FA1, double 0x3FEEF00007BABCC4, double 0x3FEF0FFFF57A8D02, double 0x3FEF30001EE58AC7, double 0x3FEF4FFFF5823494, double 0x3FEF6FFFFCA94C6B, double 0x3FEF8FFFE1F9C441, double 0x3FEFAFFFD2E0E37E, double 0x3FEFD0001C77E49E, double 0x3FEFEFFFF7E0C331, double 0x3FF00FFFF465606E, double 0x3FF02FFFF3867A58, double 0x3FF04FFFFDFC0D17, double 0x3FF0700003CD4D82, double 0x3FF08FFFF9F2CBE8, double 0x3FF0B000010CDA65, double 0x3FF0D00001A4D338, double 0x3FF0EFFFFADAFDFD, double 0x3FF110000BBAFD96, double 0x3FF12FFFFAE5F45D, double 0x3FF150000DD59AD9, double 0x3FF170000F21559A, double 0x3FF18FFFFC275426, double 0x3FF1B000123D3C59, double 0x3FF1CFFFF8299EB7, double 0x3FF1EFFFF48AD400, double 0x3FF210000C8B86A4, double 0x3FF2300003854303, double 0x3FF24FFFFFBCF684, double 0x3FF26FFFF52921D9, double 0x3FF2900014933A3C, double 0x3FF2B00014556313, double 0x3FF2CFFFEBFE523B, double 0x3FF2F0000BB8AD96, double 0x3FF30FFFFB7AE2AF, double 0x3FF32FFFFEAC5F7F, double 0x3FF350000CA66756, double 0x3FF3700011FBF721, double 0x3FF38FFFF9592FB9, double 0x3FF3B00004DDD242, double 0x3FF3CFFFF5B2C957, double 0x3FF3EFFFEAB0B418, double 0x3FF410001532AFF4, double 0x3FF4300017478B29, double 0x3FF44FFFE795B463, double 0x3FF46FFFE80475E0, double 0x3FF48FFFEF6FC1E7, double 0x3FF4AFFFE5BEA704, double 0x3FF4D000171027DE, double 0x3FF4F0000FF03EE2, double 0x3FF5100012DC4BD1, double 0x3FF530001605277A, double 0x3FF54FFFECDB704C, double 0x3FF56FFFEF5F54A9, double 0x3FF5900017E61012, double 0x3FF5B00003C93E92, double 0x3FF5D0001D4919BC, double 0x3FF5EFFFE7B87A89], align 64

@cogir_c_log_separate_constant_3 = internal constant [128 x double] [double 0x3C7E026C91425B3C, double 0x3C8DBFEA48005D41, double 0x3C8E7FA786D6A5B7, double 0x3C61FCEA6B54254C, double 0xBC7C7E274C590EFD, double 0xBC8AC16848DCDA01, double 0x3C833F1C9D499311, double 0xBC7E80041AE22D53, double 0x3C7BFF6671097952, double 0x3C8C00E226BD8724, double 0xBC6E02916EF101D2, double 0xBC67FC71CD549C74, double 0x3C81BEC19EF50483, double 0xBC707E1729CC6465, double 0xBC808072087B8B1C, double 0x3C8DC0286D9DF9AE, double 0x3C897FD251E54C33, double 0xBC8AFEE9B630F381, double 0x3C89BFBF6B6535BC, double 0xBC8BBF65F3117B75, double 0xBC89006EA23DCB57, double 0xBC7D00DF38E04B0A, double 0xBC88007146FF9F05, double 0x3C83817BD07A7038, double 0x3C893E9176DFB403, double 0x3C7F804E4B980276, double 0xBC8F7EF0D9FF622E, double 0xBC7082AA962638BA, double 0xBC87801B9164A8EF, double 0xBC8740E08A5A9337, double 0x3C3FCE08C19BE000, double 0xBC8A3FAA27885B0A, double 0x3C74FF489958DA56, double 0x3C8CBEAB8A2B6D18, double 0x3C88FECADD787930, double 0xBC8F41763DD8ABDB, double 0xBC8EBF0284C27612, double 0xBC69FD043CFF3F5F, double 0xBC823EE7129070B4, double 0x3C6A063EE00EDEA3, double 0x3C5A06C8381F0AB9, double 0xBC79011E74233C1D, double 0xBC79FF1068862A9F, double 0x3C8AFF45D0864F3E, double 0x3C7CFE7796C2C3F9, double 0xBC63FF27EEF22BC4, double 0xBC6CFFB7EE3BEA21, double 0xBC814103972E0B5C, double 0x3C8BC16494B76A19, double 0xBC64FEEF8D30C6ED, double 0xBC843F68BCEC4775, double 0x3C847EA3F053E0EC, double 0x3C7383068DF992F1, double 0xBC68FD8E64180E04, double 0x3C8E7EBE1CC7EA72, double 0x3C8EBE39AD9F88FE, double 0x3C757D91A8B95A71, double 0x3C89C1906970C7DA, double 0xBC580E37C558FE0C, double 0xBC7F80D64DC10F44, double 0xBC747C8F94FD5C5C, double 0x3C8C7F1DC521617E, double 0x3C88019EB2FFB153, double 0x3C6E00D2C652CC89, double 0xBC7F8340202D69D2, double 0x3C7B00C1CA1B0864, double 0x3C72FFA8B094AB51, double 0xBC57F673B1EFBE59, double 0xBC84808D5E0BC801, double 0x3C780006D54320B5, double 0xBC5002F860565C92, double 0xBC8540445D35E611, double 0xBC4FFB3139EF9105, double 0x3C8A81ACF2731155, double 0x3C8A3F41D4D7C743, double 0xBC6202F41C987875, double 0x3C777DD1F477E74B, double 0xBC6F01199A7CA331, double 0x3C7181EE4BCEACB1, double 0xBC6E05370170875A, double 0xBC8A7EAD491C0ADA, double 0xBC977F69C3FCB2E0, double 0x3C97BFFE34CB945B, double 0x3C820083C0E456CB, double 0xBC6DFFDFBE37751A, double 0xBC913F7FAEE626EB, double 0x3C807DFA79489FF7, double 0xBC77040570D66BC0, double 0x3C8E80D4846D0B62, double 0x3C9DBFFA64FD36EF, double 0x3C9A0077701250AE, double 0x3C8DFDF9E2E3DEEE, double 0x3C910030DC3B7273, double 0x3C997F7980030188, double 0xBC65F932AB9F8C67, double 0x3C937FBF9DA75BEB, double 0x3C9F806B91FD5B22, double 0x3C93FFC2EB9FBF33, double 0x3C7601E77E2E2E72, double 0x3C7FFCBB767F0C61, double 0xBC7202CA3C02412B, double 0xBC92808233F21F02, double 0xBC88FF7E384FDCF2, double 0xBC85FF51503041C5, double 0xBC810071885E289D, double 0xBC91FF5D3FB7B715, double 0x3C957F82228B82BD, double 0x3C8000BAC40DD5CC, double 0xBC943F9D2DB2A751, double 0x3C857F6B707638E1, double 0x3C7A023A10BF1231, double 0x3C987F6D66B152B0, double 0x3C67F8375F198524, double 0x3C8301E672DC5143, double 0x3C89FF69B8B2895A, double 0xBC95C0B19BC2F254, double 0x3C9B4009F23A2A72, double 0xBC94FFB7BF0D7D45, double 0xBC99C06471DC6A3D, double 0x3C977F890B85531C, double 0x3C6004657166A436, double 0xBC96BFCECE233209, double 0xBC8902720505A1D7, double 0x3C9BBFE60EC96412, double 0x3C887EC581AFEF90, double 0xBC9F41080ABF0CC0, double 0xBC98812AFB254729, double 0xBC947EB780ED6904], align 64

define internal double @cogir_centred(i64 noundef %high.1, i64 noundef %low.2) nounwind alwaysinline {
b0:
  %v3 = call i64 @cogir_mt19937_temper(i64 %high.1)
  %v4 = ashr i64 %v3, 5
  %v5 = call double @cogir_whole(i64 %v4)
  %v6 = fmul double %v5, 0x4190000000000000
  %v7 = call i64 @cogir_mt19937_temper(i64 %low.2)
  %v8 = ashr i64 %v7, 6
  %v9 = call double @cogir_whole(i64 %v8)
  %v10 = fadd double %v6, %v9
  %v11 = fmul double %v10, 0x3CA0000000000000
  %v12 = fmul double 0x4000000000000000, %v11
  %v13 = fsub double %v12, 0x3FF0000000000000
  ret double %v13
}

define internal double @cogir_centred_ahead(i64 noundef %high.1, i64 noundef %low.2) nounwind alwaysinline {
b0:
  %v3 = call i64 @cogir_mt19937_temper_ahead(i64 %high.1)
  %v4 = ashr i64 %v3, 5
  %v5 = call double @cogir_whole_ahead(i64 %v4)
  %v6 = fmul double %v5, 0x4190000000000000
  %v7 = call i64 @cogir_mt19937_temper_ahead(i64 %low.2)
  %v8 = ashr i64 %v7, 6
  %v9 = call double @cogir_whole_ahead(i64 %v8)
  %v10 = fadd double %v6, %v9
  %v11 = fmul double %v10, 0x3CA0000000000000
  %v12 = fmul double 0x4000000000000000, %v11
  %v13 = fsub double %v12, 0x3FF0000000000000
  ret double %v13
}

define internal { double, double } @cogir_cos_reduced(double noundef %r.1, double noundef %r_low.2) nounwind alwaysinline {
b0:
  %z.3 = fmul double %r.1, %r.1
  %v4 = call double @llvm.fma.f64(double 0x3D2AB754378B1589, double %z.3, double 0xBDA9394B4CB659AE)
  %v5 = call double @llvm.fma.f64(double %v4, double %z.3, double 0x3E21EED8DE845200)
  %v6 = fmul double %z.3, %z.3
  %v7 = fmul double %z.3, %z.3
  %v8 = fmul double %v6, %v7
  %v9 = call double @cogir_poly4(double %z.3, double 0x3FA5555555555555, double 0xBF56C16C16C16C16, double 0x3EFA01A01A019CFB, double 0xBE927E4FB7710EBA)
  %series.10 = call double @llvm.fma.f64(double %v5, double %v8, double %v9)
  %v11 = fmul double 0x3FE0000000000000, %r.1
  %v12 = call { double, double } @cogir_two_product(double %r.1, double %v11)
  %half.13 = extractvalue { double, double } %v12, 0
  %half_low.14 = extractvalue { double, double } %v12, 1
  %v15 = fneg double %half.13
  %v16 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %v15)
  %high.17 = extractvalue { double, double } %v16, 0
  %low.18 = extractvalue { double, double } %v16, 1
  %v19 = fmul double %z.3, %z.3
  %v20 = fneg double %half_low.14
  %v21 = call double @llvm.fma.f64(double %v19, double %series.10, double %v20)
  %v22 = fmul double %r_low.2, %r.1
  %v23 = fsub double %v21, %v22
  %v24 = fadd double %low.18, %v23
  %v25 = insertvalue { double, double } poison, double %high.17, 0
  %v26 = insertvalue { double, double } %v25, double %v24, 1
  ret { double, double } %v26
}

define internal { double, double } @cogir_cos_sin_of_turns(double noundef %turns.1) nounwind alwaysinline {
b0:
  %v2 = fmul double 0x4010000000000000, %turns.1
  %v3 = call { double, i64 } @cogir_round_to_integer(double %v2)
  %quarters.4 = extractvalue { double, i64 } %v3, 0
  %quarter.5 = extractvalue { double, i64 } %v3, 1
  %v6 = fmul double 0x4010000000000000, %turns.1
  %x.7 = fsub double %v6, %quarters.4
  %z.8 = fmul double %x.7, %x.7
  %sine.9 = call double @cogir_poly6(double %z.8, double 0xBFE4ABBCE625BE52, double 0x3FB466BC6775A476, double 0xBF732D2CCE500387, double 0x3F250783208843EB, double 0xBECE3027DEA82BD7, double 0x3E6E4A9D9166F052)
  %cosine.10 = call double @cogir_poly7(double %z.8, double 0xBFF3BD3CC9BE45DE, double 0x3FD03C1F081B5AC0, double 0xBF955D3C7E3CB241, double 0x3F4E1F5068688D5B, double 0xBEFA6D1EEF479BE1, double 0x3E9F9CE245CADA0B, double 0xBE3B2F3EB054AFCD)
  %v11 = fmul double %x.7, %z.8
  %v12 = fmul double %v11, %sine.9
  %sine.13 = call double @llvm.fma.f64(double %x.7, double 0x3FF921FB54442D18, double %v12)
  %cosine.14 = call double @llvm.fma.f64(double %z.8, double %cosine.10, double 0x3FF0000000000000)
  %v15 = and i64 %quarter.5, 1
  %odd.16 = icmp ne i64 %v15, 0
  %v17 = select i1 %odd.16, double %sine.13, double %cosine.14
  %v18 = add i64 %quarter.5, 1
  %v19 = and i64 %v18, 2
  %v20 = call double @cogir_with_sign_flipped(double %v17, i64 %v19)
  %v21 = select i1 %odd.16, double %cosine.14, double %sine.13
  %v22 = and i64 %quarter.5, 2
  %v23 = call double @cogir_with_sign_flipped(double %v21, i64 %v22)
  %v24 = insertvalue { double, double } poison, double %v20, 0
  %v25 = insertvalue { double, double } %v24, double %v23, 1
  ret { double, double } %v25
}

define internal i64 @cogir_entered(i64 noundef %word.1, i64 noundef %last.2, i64 noundef %added.3) nounwind alwaysinline {
b0:
  %v4 = call i64 @cogir_mixed(i64 %last.2)
  %v5 = mul i64 %v4, 1664525
  %v6 = xor i64 %word.1, %v5
  %v7 = add i64 %v6, %added.3
  ret i64 %v7
}

define internal { double, double } @cogir_erf_inner(double noundef %a.1) nounwind alwaysinline {
b0:
  %z.2 = fmul double %a.1, %a.1
  %z2.3 = fmul double %z.2, %z.2
  %z4.4 = fmul double %z2.3, %z2.3
  %series.5 = call double @cogir_poly8(double %z.2, double 0xBFD812746B0379E7, double 0x3FBCE2F21A042BCF, double 0xBF9B82CE31286C4F, double 0x3F7565BCD0D2C3B1, double 0xBF4C02DB333C13E4, double 0x3F1F9A2DD0AB0CD7, double 0xBEEF4C2A0F517092, double 0x3EBB7F17D69620B8)
  %v6 = fmul double %z4.4, %z4.4
  %series.7 = call double @llvm.fma.f64(double 0xBE83D7E152FEE4CF, double %v6, double %series.5)
  %v8 = call { double, double } @cogir_pair_product(double %a.1, double 0x0000000000000000, double 0x3FF20DD750429B6D, double 0x3C71AE3A914FED80)
  %high.9 = extractvalue { double, double } %v8, 0
  %low.10 = extractvalue { double, double } %v8, 1
  %v11 = fmul double %a.1, %z.2
  %v12 = call double @llvm.fma.f64(double %v11, double %series.7, double %low.10)
  %v13 = insertvalue { double, double } poison, double %high.9, 0
  %v14 = insertvalue { double, double } %v13, double %v12, 1
  ret { double, double } %v14
}

define internal { <2 x double>, <2 x double> } @cogir_erf_inner_v2(<2 x double> noundef %a.1) nounwind alwaysinline {
b0:
  %z.2 = fmul <2 x double> %a.1, %a.1
  %z2.3 = fmul <2 x double> %z.2, %z.2
  %z4.4 = fmul <2 x double> %z2.3, %z2.3
  %series.5 = call <2 x double> @cogir_poly8_v2(<2 x double> %z.2, <2 x double> splat (double 0xBFD812746B0379E7), <2 x double> splat (double 0x3FBCE2F21A042BCF), <2 x double> splat (double 0xBF9B82CE31286C4F), <2 x double> splat (double 0x3F7565BCD0D2C3B1), <2 x double> splat (double 0xBF4C02DB333C13E4), <2 x double> splat (double 0x3F1F9A2DD0AB0CD7), <2 x double> splat (double 0xBEEF4C2A0F517092), <2 x double> splat (double 0x3EBB7F17D69620B8))
  %v6 = fmul <2 x double> %z4.4, %z4.4
  %series.7 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0xBE83D7E152FEE4CF), <2 x double> %v6, <2 x double> %series.5)
  %v8 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %a.1, <2 x double> zeroinitializer, <2 x double> splat (double 0x3FF20DD750429B6D), <2 x double> splat (double 0x3C71AE3A914FED80))
  %high.9 = extractvalue { <2 x double>, <2 x double> } %v8, 0
  %low.10 = extractvalue { <2 x double>, <2 x double> } %v8, 1
  %v11 = fmul <2 x double> %a.1, %z.2
  %v12 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v11, <2 x double> %series.7, <2 x double> %low.10)
  %v13 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.9, 0
  %v14 = insertvalue { <2 x double>, <2 x double> } %v13, <2 x double> %v12, 1
  ret { <2 x double>, <2 x double> } %v14
}

define internal double @cogir_erfc_outer(double noundef %a.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt double %a.1, 0x403B800000000000
  %a.3 = select i1 %v2, double 0x403B800000000000, double %a.1
  %v4 = call { double, double } @cogir_two_sum(double %a.3, double 0xC010000000000000)
  %minus.5 = extractvalue { double, double } %v4, 0
  %minus_low.6 = extractvalue { double, double } %v4, 1
  %v7 = call { double, double } @cogir_two_sum(double %a.3, double 0x4010000000000000)
  %plus.8 = extractvalue { double, double } %v7, 0
  %plus_low.9 = extractvalue { double, double } %v7, 1
  %v10 = call { double, double } @cogir_pair_quotient(double %minus.5, double %minus_low.6, double %plus.8, double %plus_low.9)
  %t.11 = extractvalue { double, double } %v10, 0
  %t_low.12 = extractvalue { double, double } %v10, 1
  %t2.13 = fmul double %t.11, %t.11
  %t4.14 = fmul double %t2.13, %t2.13
  %t8.15 = fmul double %t4.14, %t4.14
  %low.16 = call double @cogir_poly8(double %t.11, double 0xBFC1DF1AD154A29C, double 0x3F8F7F5DF66FD951, double 0x3FB16ECEFCFA6077, double 0xBFB9DDB23C3E98A6, double 0x3FB7FEE004DF6263, double 0xBFB0FB06DFE46987, double 0x3FA3079EDFA1033F, double 0xBF90962388367B2F)
  %middle.17 = call double @cogir_poly8(double %t.11, double 0x3F749C671893963F, double 0xBF48D4A9DC0D22F3, double 0xBF2A1DE7C6E9AC9C, double 0x3F23BE0B393EE921, double 0xBEF996AD056E530B, double 0xBEE78A43458CCA4B, double 0x3ED7FB88E391A9FE, double 0x3E94392983419EDD)
  %high.18 = call double @cogir_poly4(double %t.11, double 0xBEAC05FC977974EA, double 0x3E70D535FCE28F99, double 0x3E7EF6C0C38D1A2B, double 0xBE409198A32CD9A9)
  %v19 = call double @llvm.fma.f64(double 0xBE1F47207B168ACD, double %t.11, double 0xBE4D5BB4C6D5B92D)
  %high.20 = call double @llvm.fma.f64(double %v19, double %t4.14, double %high.18)
  %v21 = call double @llvm.fma.f64(double %high.20, double %t8.15, double %middle.17)
  %q.22 = call double @llvm.fma.f64(double %v21, double %t8.15, double %low.16)
  %slope.23 = call double @cogir_poly4(double %t.11, double 0xBFC1ADA50DC27635, double 0x3FB6FA80E731B952, double 0x3FC1E8B5640D1F00, double 0xBFE8B1909B9A2081)
  %slope.24 = call double @llvm.fma.f64(double %t4.14, double 0x3FE8237413A6DF98, double %slope.23)
  %v25 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double 0x3FCDD2C8B74FEBF6)
  %base.26 = extractvalue { double, double } %v25, 0
  %base_low.27 = extractvalue { double, double } %v25, 1
  %v28 = call { double, double } @cogir_two_product(double %t.11, double %q.22)
  %product.29 = extractvalue { double, double } %v28, 0
  %product_low.30 = extractvalue { double, double } %v28, 1
  %v31 = call { double, double } @cogir_fast_two_sum(double %base.26, double %product.29)
  %above.32 = extractvalue { double, double } %v31, 0
  %above_low.33 = extractvalue { double, double } %v31, 1
  %v34 = call double @llvm.fma.f64(double %slope.24, double %t_low.12, double %product_low.30)
  %v35 = fadd double %base_low.27, %v34
  %above_low.36 = fadd double %above_low.33, %v35
  %v37 = fadd double %a.3, %a.3
  %v38 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %v37)
  %below.39 = extractvalue { double, double } %v38, 0
  %below_low.40 = extractvalue { double, double } %v38, 1
  %v41 = call { double, double } @cogir_pair_quotient(double %above.32, double %above_low.36, double %below.39, double %below_low.40)
  %ratio.42 = extractvalue { double, double } %v41, 0
  %ratio_low.43 = extractvalue { double, double } %v41, 1
  %v44 = call { double, double } @cogir_two_product(double %a.3, double %a.3)
  %square.45 = extractvalue { double, double } %v44, 0
  %square_low.46 = extractvalue { double, double } %v44, 1
  %v47 = fneg double %square.45
  %v48 = call { i64, double, double } @cogir_reduce_exp(double %v47)
  %k.49 = extractvalue { i64, double, double } %v48, 0
  %r.50 = extractvalue { i64, double, double } %v48, 1
  %r_low.51 = extractvalue { i64, double, double } %v48, 2
  %v52 = fsub double %r_low.51, %square_low.46
  %v53 = call { double, double } @cogir_fast_two_sum(double %r.50, double %v52)
  %r.54 = extractvalue { double, double } %v53, 0
  %r_low.55 = extractvalue { double, double } %v53, 1
  %v56 = call { double, double } @cogir_expm1_reduced(double %r.54, double %r_low.55)
  %head.57 = extractvalue { double, double } %v56, 0
  %rest.58 = extractvalue { double, double } %v56, 1
  %v59 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %head.57)
  %power.60 = extractvalue { double, double } %v59, 0
  %power_low.61 = extractvalue { double, double } %v59, 1
  %v62 = fadd double %power_low.61, %rest.58
  %v63 = call { double, double } @cogir_pair_product(double %ratio.42, double %ratio_low.43, double %power.60, double %v62)
  %value.64 = extractvalue { double, double } %v63, 0
  %value_low.65 = extractvalue { double, double } %v63, 1
  %v66 = fadd double %value.64, %value_low.65
  %v67 = call double @cogir_scale(double %v66, i64 %k.49)
  ret double %v67
}

define internal <2 x double> @cogir_erfc_outer_v2(<2 x double> noundef %a.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt <2 x double> %a.1, splat (double 0x403B800000000000)
  %a.3 = select <2 x i1> %v2, <2 x double> splat (double 0x403B800000000000), <2 x double> %a.1
  %v4 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> %a.3, <2 x double> splat (double 0xC010000000000000))
  %minus.5 = extractvalue { <2 x double>, <2 x double> } %v4, 0
  %minus_low.6 = extractvalue { <2 x double>, <2 x double> } %v4, 1
  %v7 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> %a.3, <2 x double> splat (double 0x4010000000000000))
  %plus.8 = extractvalue { <2 x double>, <2 x double> } %v7, 0
  %plus_low.9 = extractvalue { <2 x double>, <2 x double> } %v7, 1
  %v10 = call { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> %minus.5, <2 x double> %minus_low.6, <2 x double> %plus.8, <2 x double> %plus_low.9)
  %t.11 = extractvalue { <2 x double>, <2 x double> } %v10, 0
  %t_low.12 = extractvalue { <2 x double>, <2 x double> } %v10, 1
  %t2.13 = fmul <2 x double> %t.11, %t.11
  %t4.14 = fmul <2 x double> %t2.13, %t2.13
  %t8.15 = fmul <2 x double> %t4.14, %t4.14
  %low.16 = call <2 x double> @cogir_poly8_v2(<2 x double> %t.11, <2 x double> splat (double 0xBFC1DF1AD154A29C), <2 x double> splat (double 0x3F8F7F5DF66FD951), <2 x double> splat (double 0x3FB16ECEFCFA6077), <2 x double> splat (double 0xBFB9DDB23C3E98A6), <2 x double> splat (double 0x3FB7FEE004DF6263), <2 x double> splat (double 0xBFB0FB06DFE46987), <2 x double> splat (double 0x3FA3079EDFA1033F), <2 x double> splat (double 0xBF90962388367B2F))
  %middle.17 = call <2 x double> @cogir_poly8_v2(<2 x double> %t.11, <2 x double> splat (double 0x3F749C671893963F), <2 x double> splat (double 0xBF48D4A9DC0D22F3), <2 x double> splat (double 0xBF2A1DE7C6E9AC9C), <2 x double> splat (double 0x3F23BE0B393EE921), <2 x double> splat (double 0xBEF996AD056E530B), <2 x double> splat (double 0xBEE78A43458CCA4B), <2 x double> splat (double 0x3ED7FB88E391A9FE), <2 x double> splat (double 0x3E94392983419EDD))
  %high.18 = call <2 x double> @cogir_poly4_v2(<2 x double> %t.11, <2 x double> splat (double 0xBEAC05FC977974EA), <2 x double> splat (double 0x3E70D535FCE28F99), <2 x double> splat (double 0x3E7EF6C0C38D1A2B), <2 x double> splat (double 0xBE409198A32CD9A9))
  %v19 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0xBE1F47207B168ACD), <2 x double> %t.11, <2 x double> splat (double 0xBE4D5BB4C6D5B92D))
  %high.20 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v19, <2 x double> %t4.14, <2 x double> %high.18)
  %v21 = call <2 x double> @llvm.fma.v2f64(<2 x double> %high.20, <2 x double> %t8.15, <2 x double> %middle.17)
  %q.22 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v21, <2 x double> %t8.15, <2 x double> %low.16)
  %slope.23 = call <2 x double> @cogir_poly4_v2(<2 x double> %t.11, <2 x double> splat (double 0xBFC1ADA50DC27635), <2 x double> splat (double 0x3FB6FA80E731B952), <2 x double> splat (double 0x3FC1E8B5640D1F00), <2 x double> splat (double 0xBFE8B1909B9A2081))
  %slope.24 = call <2 x double> @llvm.fma.v2f64(<2 x double> %t4.14, <2 x double> splat (double 0x3FE8237413A6DF98), <2 x double> %slope.23)
  %v25 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> splat (double 0x3FCDD2C8B74FEBF6))
  %base.26 = extractvalue { <2 x double>, <2 x double> } %v25, 0
  %base_low.27 = extractvalue { <2 x double>, <2 x double> } %v25, 1
  %v28 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %t.11, <2 x double> %q.22)
  %product.29 = extractvalue { <2 x double>, <2 x double> } %v28, 0
  %product_low.30 = extractvalue { <2 x double>, <2 x double> } %v28, 1
  %v31 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %base.26, <2 x double> %product.29)
  %above.32 = extractvalue { <2 x double>, <2 x double> } %v31, 0
  %above_low.33 = extractvalue { <2 x double>, <2 x double> } %v31, 1
  %v34 = call <2 x double> @llvm.fma.v2f64(<2 x double> %slope.24, <2 x double> %t_low.12, <2 x double> %product_low.30)
  %v35 = fadd <2 x double> %base_low.27, %v34
  %above_low.36 = fadd <2 x double> %above_low.33, %v35
  %v37 = fadd <2 x double> %a.3, %a.3
  %v38 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v37)
  %below.39 = extractvalue { <2 x double>, <2 x double> } %v38, 0
  %below_low.40 = extractvalue { <2 x double>, <2 x double> } %v38, 1
  %v41 = call { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> %above.32, <2 x double> %above_low.36, <2 x double> %below.39, <2 x double> %below_low.40)
  %ratio.42 = extractvalue { <2 x double>, <2 x double> } %v41, 0
  %ratio_low.43 = extractvalue { <2 x double>, <2 x double> } %v41, 1
  %v44 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %a.3, <2 x double> %a.3)
  %square.45 = extractvalue { <2 x double>, <2 x double> } %v44, 0
  %square_low.46 = extractvalue { <2 x double>, <2 x double> } %v44, 1
  %v47 = fneg <2 x double> %square.45
  %v48 = call { <2 x i64>, <2 x double>, <2 x double> } @cogir_reduce_exp_v2(<2 x double> %v47)
  %k.49 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v48, 0
  %r.50 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v48, 1
  %r_low.51 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v48, 2
  %v52 = fsub <2 x double> %r_low.51, %square_low.46
  %v53 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %r.50, <2 x double> %v52)
  %r.54 = extractvalue { <2 x double>, <2 x double> } %v53, 0
  %r_low.55 = extractvalue { <2 x double>, <2 x double> } %v53, 1
  %v56 = call { <2 x double>, <2 x double> } @cogir_expm1_reduced_v2(<2 x double> %r.54, <2 x double> %r_low.55)
  %head.57 = extractvalue { <2 x double>, <2 x double> } %v56, 0
  %rest.58 = extractvalue { <2 x double>, <2 x double> } %v56, 1
  %v59 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %head.57)
  %power.60 = extractvalue { <2 x double>, <2 x double> } %v59, 0
  %power_low.61 = extractvalue { <2 x double>, <2 x double> } %v59, 1
  %v62 = fadd <2 x double> %power_low.61, %rest.58
  %v63 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %ratio.42, <2 x double> %ratio_low.43, <2 x double> %power.60, <2 x double> %v62)
  %value.64 = extractvalue { <2 x double>, <2 x double> } %v63, 0
  %value_low.65 = extractvalue { <2 x double>, <2 x double> } %v63, 1
  %v66 = fadd <2 x double> %value.64, %value_low.65
  %v67 = call <2 x double> @cogir_scale_v2(<2 x double> %v66, <2 x i64> %k.49)
  ret <2 x double> %v67
}

define internal double @cogir_exp_1(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt double %x.1, 0x4086300000000000
  %x.3 = select i1 %v2, double 0x4086300000000000, double %x.1
  %v4 = fcmp olt double %x.3, 0xC087500000000000
  %x.5 = select i1 %v4, double 0xC087500000000000, double %x.3
  %v6 = call { i64, double, double } @cogir_reduce_exp(double %x.5)
  %k.7 = extractvalue { i64, double, double } %v6, 0
  %r.8 = extractvalue { i64, double, double } %v6, 1
  %r_low.9 = extractvalue { i64, double, double } %v6, 2
  %v10 = call double @cogir_exp_reduced(double %r.8, double %r_low.9)
  %v11 = call double @cogir_scale(double %v10, i64 %k.7)
  ret double %v11
}

define internal double @cogir_exp_reduced(double noundef %r.1, double noundef %r_low.2) nounwind alwaysinline {
b0:
  %v3 = fmul double %r.1, %r.1
  %v4 = call double @cogir_exp_tail(double %r.1)
  %v5 = call double @llvm.fma.f64(double %r.1, double %v4, double 0x3FE0000000000000)
  %v6 = call double @llvm.fma.f64(double %r_low.2, double %r.1, double %r_low.2)
  %tail.7 = call double @llvm.fma.f64(double %v3, double %v5, double %v6)
  %v8 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %r.1)
  %high.9 = extractvalue { double, double } %v8, 0
  %low.10 = extractvalue { double, double } %v8, 1
  %v11 = fadd double %low.10, %tail.7
  %v12 = fadd double %high.9, %v11
  ret double %v12
}

define internal <2 x double> @cogir_exp_reduced_v2(<2 x double> noundef %r.1, <2 x double> noundef %r_low.2) nounwind alwaysinline {
b0:
  %v3 = fmul <2 x double> %r.1, %r.1
  %v4 = call <2 x double> @cogir_exp_tail_v2(<2 x double> %r.1)
  %v5 = call <2 x double> @llvm.fma.v2f64(<2 x double> %r.1, <2 x double> %v4, <2 x double> splat (double 0x3FE0000000000000))
  %v6 = call <2 x double> @llvm.fma.v2f64(<2 x double> %r_low.2, <2 x double> %r.1, <2 x double> %r_low.2)
  %tail.7 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v3, <2 x double> %v5, <2 x double> %v6)
  %v8 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %r.1)
  %high.9 = extractvalue { <2 x double>, <2 x double> } %v8, 0
  %low.10 = extractvalue { <2 x double>, <2 x double> } %v8, 1
  %v11 = fadd <2 x double> %low.10, %tail.7
  %v12 = fadd <2 x double> %high.9, %v11
  ret <2 x double> %v12
}

define internal double @cogir_exp_tail(double noundef %r.1) nounwind alwaysinline {
b0:
  %low.2 = call double @cogir_poly8(double %r.1, double 0x3FC5555555555555, double 0x3FA5555555555556, double 0x3F81111111111111, double 0x3F56C16C16C162D4, double 0x3F2A01A01A019B2A, double 0x3EFA01A01A6D889C, double 0x3EC71DE3A590520A, double 0x3E927E4DB646B17E)
  %r2.3 = fmul double %r.1, %r.1
  %r4.4 = fmul double %r2.3, %r2.3
  %v5 = call double @llvm.fma.f64(double 0x3E21F730349868CE, double %r.1, double 0x3E5AE643449FE524)
  %high.6 = call double @llvm.fma.f64(double 0x3DE61B2B7617544B, double %r2.3, double %v5)
  %v7 = fmul double %r4.4, %r4.4
  %v8 = call double @llvm.fma.f64(double %high.6, double %v7, double %low.2)
  ret double %v8
}

define internal <2 x double> @cogir_exp_tail_v2(<2 x double> noundef %r.1) nounwind alwaysinline {
b0:
  %low.2 = call <2 x double> @cogir_poly8_v2(<2 x double> %r.1, <2 x double> splat (double 0x3FC5555555555555), <2 x double> splat (double 0x3FA5555555555556), <2 x double> splat (double 0x3F81111111111111), <2 x double> splat (double 0x3F56C16C16C162D4), <2 x double> splat (double 0x3F2A01A01A019B2A), <2 x double> splat (double 0x3EFA01A01A6D889C), <2 x double> splat (double 0x3EC71DE3A590520A), <2 x double> splat (double 0x3E927E4DB646B17E))
  %r2.3 = fmul <2 x double> %r.1, %r.1
  %r4.4 = fmul <2 x double> %r2.3, %r2.3
  %v5 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3E21F730349868CE), <2 x double> %r.1, <2 x double> splat (double 0x3E5AE643449FE524))
  %high.6 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3DE61B2B7617544B), <2 x double> %r2.3, <2 x double> %v5)
  %v7 = fmul <2 x double> %r4.4, %r4.4
  %v8 = call <2 x double> @llvm.fma.v2f64(<2 x double> %high.6, <2 x double> %v7, <2 x double> %low.2)
  ret <2 x double> %v8
}

define internal { double, double } @cogir_expm1_reduced(double noundef %r.1, double noundef %r_low.2) nounwind alwaysinline {
b0:
  %v3 = fmul double 0x3FE0000000000000, %r.1
  %v4 = call { double, double } @cogir_two_product(double %r.1, double %v3)
  %square.5 = extractvalue { double, double } %v4, 0
  %square_low.6 = extractvalue { double, double } %v4, 1
  %v7 = call { double, double } @cogir_fast_two_sum(double %r.1, double %square.5)
  %high.8 = extractvalue { double, double } %v7, 0
  %low.9 = extractvalue { double, double } %v7, 1
  %v10 = fmul double %r.1, %r.1
  %v11 = fmul double %r.1, %v10
  %v12 = call double @cogir_exp_tail(double %r.1)
  %v13 = call double @llvm.fma.f64(double %r_low.2, double %high.8, double %r_low.2)
  %rest.14 = call double @llvm.fma.f64(double %v11, double %v12, double %v13)
  %v15 = fadd double %square_low.6, %rest.14
  %v16 = fadd double %low.9, %v15
  %v17 = call { double, double } @cogir_fast_two_sum(double %high.8, double %v16)
  %v18 = extractvalue { double, double } %v17, 0
  %v19 = extractvalue { double, double } %v17, 1
  %v20 = insertvalue { double, double } poison, double %v18, 0
  %v21 = insertvalue { double, double } %v20, double %v19, 1
  ret { double, double } %v21
}

define internal { <2 x double>, <2 x double> } @cogir_expm1_reduced_v2(<2 x double> noundef %r.1, <2 x double> noundef %r_low.2) nounwind alwaysinline {
b0:
  %v3 = fmul <2 x double> splat (double 0x3FE0000000000000), %r.1
  %v4 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %r.1, <2 x double> %v3)
  %square.5 = extractvalue { <2 x double>, <2 x double> } %v4, 0
  %square_low.6 = extractvalue { <2 x double>, <2 x double> } %v4, 1
  %v7 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %r.1, <2 x double> %square.5)
  %high.8 = extractvalue { <2 x double>, <2 x double> } %v7, 0
  %low.9 = extractvalue { <2 x double>, <2 x double> } %v7, 1
  %v10 = fmul <2 x double> %r.1, %r.1
  %v11 = fmul <2 x double> %r.1, %v10
  %v12 = call <2 x double> @cogir_exp_tail_v2(<2 x double> %r.1)
  %v13 = call <2 x double> @llvm.fma.v2f64(<2 x double> %r_low.2, <2 x double> %high.8, <2 x double> %r_low.2)
  %rest.14 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v11, <2 x double> %v12, <2 x double> %v13)
  %v15 = fadd <2 x double> %square_low.6, %rest.14
  %v16 = fadd <2 x double> %low.9, %v15
  %v17 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %high.8, <2 x double> %v16)
  %v18 = extractvalue { <2 x double>, <2 x double> } %v17, 0
  %v19 = extractvalue { <2 x double>, <2 x double> } %v17, 1
  %v20 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %v18, 0
  %v21 = insertvalue { <2 x double>, <2 x double> } %v20, <2 x double> %v19, 1
  ret { <2 x double>, <2 x double> } %v21
}

define internal { double, double } @cogir_fast_two_sum(double noundef %a.1, double noundef %b.2) nounwind alwaysinline {
b0:
  %high.3 = fadd double %a.1, %b.2
  %v4 = fsub double %a.1, %high.3
  %v5 = fadd double %v4, %b.2
  %v6 = insertvalue { double, double } poison, double %high.3, 0
  %v7 = insertvalue { double, double } %v6, double %v5, 1
  ret { double, double } %v7
}

define internal { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> noundef %a.1, <2 x double> noundef %b.2) nounwind alwaysinline {
b0:
  %high.3 = fadd <2 x double> %a.1, %b.2
  %v4 = fsub <2 x double> %a.1, %high.3
  %v5 = fadd <2 x double> %v4, %b.2
  %v6 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.3, 0
  %v7 = insertvalue { <2 x double>, <2 x double> } %v6, <2 x double> %v5, 1
  ret { <2 x double>, <2 x double> } %v7
}

define internal double @cogir_glibc_log_fused(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ole double 0x3FEE000000000000, %x.1
  %v3 = fcmp olt double %x.1, 0x3FF1090000000000
  %near.4 = and i1 %v2, %v3
  %v5 = call double @cogir_log_near_one_fused(double %x.1)
  %v6 = call double @cogir_log_elsewhere_fused(double %x.1)
  %value.7 = select i1 %near.4, double %v5, double %v6
  %v8 = call double @cogir_at_the_edges_fused(double %x.1, double %value.7)
  ret double %v8
}

define internal double @cogir_glibc_log_separate(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ole double 0x3FEE000000000000, %x.1
  %v3 = fcmp olt double %x.1, 0x3FF1090000000000
  %near.4 = and i1 %v2, %v3
  %v5 = call double @cogir_log_near_one_separate(double %x.1)
  %v6 = call double @cogir_log_elsewhere_separate(double %x.1)
  %value.7 = select i1 %near.4, double %v5, double %v6
  %v8 = call double @cogir_at_the_edges_separate(double %x.1, double %value.7)
  ret double %v8
}

define internal void @cogir_hash_pool(ptr align 8 dereferenceable(32) nonnull noalias noundef %pool.1) nounwind alwaysinline {
b0:
  br label %b1
b1:
  %i.2 = phi i64 [ 0, %b0 ], [ %v13, %b2 ]
  %constant.3 = phi i64 [ 1135663077, %b0 ], [ %constant.11, %b2 ]
  %i.4 = phi i64 [ 0, %b0 ], [ %i.2, %b2 ]
  %hashed.5 = phi i64 [ 0, %b0 ], [ %hashed.10, %b2 ]
  %v6 = icmp slt i64 %i.2, 4
  br i1 %v6, label %b2, label %b3
b2:
  %v7 = getelementptr inbounds i64, ptr %pool.1, i64 %i.2
  %v8 = load i64, ptr %v7
  %v9 = call { i64, i64 } @cogir_hash_seed(i64 %v8, i64 %constant.3)
  %hashed.10 = extractvalue { i64, i64 } %v9, 0
  %constant.11 = extractvalue { i64, i64 } %v9, 1
  %v12 = getelementptr inbounds i64, ptr %pool.1, i64 %i.2
  store i64 %hashed.10, ptr %v12
  %v13 = add i64 %i.2, 1
  br label %b1
b3:
  br label %b4
b4:
  %i.14 = phi i64 [ 0, %b3 ], [ %v35, %b11 ]
  %hashed.15 = phi i64 [ %hashed.5, %b3 ], [ %hashed.19, %b11 ]
  %constant.16 = phi i64 [ %constant.3, %b3 ], [ %constant.20, %b11 ]
  %v17 = icmp slt i64 %i.14, 4
  br i1 %v17, label %b5, label %b12
b5:
  br label %b6
b6:
  %i.18 = phi i64 [ 0, %b5 ], [ %v34, %b10 ]
  %hashed.19 = phi i64 [ %hashed.15, %b5 ], [ %v33, %b10 ]
  %constant.20 = phi i64 [ %constant.16, %b5 ], [ %v32, %b10 ]
  %v21 = icmp slt i64 %i.18, 4
  br i1 %v21, label %b7, label %b11
b7:
  %v22 = icmp ne i64 %i.14, %i.18
  br i1 %v22, label %b8, label %b9
b8:
  %v23 = getelementptr inbounds i64, ptr %pool.1, i64 %i.14
  %v24 = load i64, ptr %v23
  %v25 = call { i64, i64 } @cogir_hash_seed(i64 %v24, i64 %constant.20)
  %hashed.26 = extractvalue { i64, i64 } %v25, 0
  %constant.27 = extractvalue { i64, i64 } %v25, 1
  %v28 = getelementptr inbounds i64, ptr %pool.1, i64 %i.18
  %v29 = load i64, ptr %v28
  %v30 = call i64 @cogir_mix_seeds(i64 %v29, i64 %hashed.26)
  %v31 = getelementptr inbounds i64, ptr %pool.1, i64 %i.18
  store i64 %v30, ptr %v31
  br label %b10
b9:
  br label %b10
b10:
  %v32 = phi i64 [ %constant.27, %b8 ], [ %constant.20, %b9 ]
  %v33 = phi i64 [ %hashed.26, %b8 ], [ %hashed.19, %b9 ]
  %v34 = add i64 %i.18, 1
  br label %b6
b11:
  %v35 = add i64 %i.14, 1
  br label %b4
b12:
  br label %b13
b13:
  %i.36 = phi i64 [ 0, %b12 ], [ %v47, %b14 ]
  %i.37 = phi i64 [ %i.4, %b12 ], [ %i.36, %b14 ]
  %hashed.38 = phi i64 [ %hashed.15, %b12 ], [ %hashed.44, %b14 ]
  %constant.39 = phi i64 [ 2337405405, %b12 ], [ %constant.45, %b14 ]
  %v40 = icmp slt i64 %i.36, 4
  br i1 %v40, label %b14, label %b15
b14:
  %v41 = getelementptr inbounds i64, ptr %pool.1, i64 %i.36
  %v42 = load i64, ptr %v41
  %v43 = call { i64, i64 } @cogir_hash_seed_1(i64 %v42, i64 %constant.39)
  %hashed.44 = extractvalue { i64, i64 } %v43, 0
  %constant.45 = extractvalue { i64, i64 } %v43, 1
  %v46 = getelementptr inbounds i64, ptr %pool.1, i64 %i.36
  store i64 %hashed.44, ptr %v46
  %v47 = add i64 %i.36, 1
  br label %b13
b15:
  ret void
}

define internal { i64, i64 } @cogir_hash_seed(i64 noundef %value.1, i64 noundef %constant.2) nounwind alwaysinline {
b0:
  %value.3 = xor i64 %value.1, %constant.2
  %v4 = mul i64 %constant.2, 2468251765
  %constant.5 = and i64 %v4, 4294967295
  %v6 = mul i64 %value.3, %constant.5
  %value.7 = and i64 %v6, 4294967295
  %v8 = ashr i64 %value.7, 16
  %v9 = xor i64 %value.7, %v8
  %v10 = insertvalue { i64, i64 } poison, i64 %v9, 0
  %v11 = insertvalue { i64, i64 } %v10, i64 %constant.5, 1
  ret { i64, i64 } %v11
}

define internal { i64, i64 } @cogir_hash_seed_1(i64 noundef %value.1, i64 noundef %constant.2) nounwind alwaysinline {
b0:
  %value.3 = xor i64 %value.1, %constant.2
  %v4 = mul i64 %constant.2, 1492356589
  %constant.5 = and i64 %v4, 4294967295
  %v6 = mul i64 %value.3, %constant.5
  %value.7 = and i64 %v6, 4294967295
  %v8 = ashr i64 %value.7, 16
  %v9 = xor i64 %value.7, %v8
  %v10 = insertvalue { i64, i64 } poison, i64 %v9, 0
  %v11 = insertvalue { i64, i64 } %v10, i64 %constant.5, 1
  ret { i64, i64 } %v11
}

define internal { i64, double, double, double, double, double, double } @cogir_hyperbolic_parts(double noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call double @llvm.fabs.f64(double %x.1)
  %v3 = fcmp ogt double %magnitude.2, 0x4086400000000000
  %magnitude.4 = select i1 %v3, double 0x4086400000000000, double %magnitude.2
  %v5 = call { i64, double, double } @cogir_reduce_exp(double %magnitude.4)
  %k.6 = extractvalue { i64, double, double } %v5, 0
  %r.7 = extractvalue { i64, double, double } %v5, 1
  %r_low.8 = extractvalue { i64, double, double } %v5, 2
  %v9 = call { double, double } @cogir_expm1_reduced(double %r.7, double %r_low.8)
  %t.10 = extractvalue { double, double } %v9, 0
  %t_low.11 = extractvalue { double, double } %v9, 1
  %v12 = icmp sgt i64 %k.6, 60
  %v13 = add i64 %k.6, %k.6
  %v14 = select i1 %v12, i64 120, i64 %v13
  %v15 = sub i64 0, %v14
  %w.16 = call double @cogir_power_of_two(i64 %v15)
  %v17 = fneg double %w.16
  %v18 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %v17)
  %one.19 = extractvalue { double, double } %v18, 0
  %one_low.20 = extractvalue { double, double } %v18, 1
  %v21 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %t.10)
  %base.22 = extractvalue { double, double } %v21, 0
  %base_low.23 = extractvalue { double, double } %v21, 1
  %v24 = fadd double %base_low.23, %t_low.11
  %v25 = call { double, double } @cogir_pair_quotient(double %t.10, double %t_low.11, double %base.22, double %v24)
  %quotient.26 = extractvalue { double, double } %v25, 0
  %quotient_low.27 = extractvalue { double, double } %v25, 1
  %v28 = fmul double %w.16, %quotient.26
  %v29 = fmul double %w.16, %quotient_low.27
  %v30 = insertvalue { i64, double, double, double, double, double, double } poison, i64 %k.6, 0
  %v31 = insertvalue { i64, double, double, double, double, double, double } %v30, double %one.19, 1
  %v32 = insertvalue { i64, double, double, double, double, double, double } %v31, double %one_low.20, 2
  %v33 = insertvalue { i64, double, double, double, double, double, double } %v32, double %t.10, 3
  %v34 = insertvalue { i64, double, double, double, double, double, double } %v33, double %t_low.11, 4
  %v35 = insertvalue { i64, double, double, double, double, double, double } %v34, double %v28, 5
  %v36 = insertvalue { i64, double, double, double, double, double, double } %v35, double %v29, 6
  ret { i64, double, double, double, double, double, double } %v36
}

define internal { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } @cogir_hyperbolic_parts_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v3 = fcmp ogt <2 x double> %magnitude.2, splat (double 0x4086400000000000)
  %magnitude.4 = select <2 x i1> %v3, <2 x double> splat (double 0x4086400000000000), <2 x double> %magnitude.2
  %v5 = call { <2 x i64>, <2 x double>, <2 x double> } @cogir_reduce_exp_v2(<2 x double> %magnitude.4)
  %k.6 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v5, 0
  %r.7 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v5, 1
  %r_low.8 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v5, 2
  %v9 = call { <2 x double>, <2 x double> } @cogir_expm1_reduced_v2(<2 x double> %r.7, <2 x double> %r_low.8)
  %t.10 = extractvalue { <2 x double>, <2 x double> } %v9, 0
  %t_low.11 = extractvalue { <2 x double>, <2 x double> } %v9, 1
  %v12 = icmp sgt <2 x i64> %k.6, splat (i64 60)
  %v13 = add <2 x i64> %k.6, %k.6
  %v14 = select <2 x i1> %v12, <2 x i64> splat (i64 120), <2 x i64> %v13
  %v15 = sub <2 x i64> zeroinitializer, %v14
  %w.16 = call <2 x double> @cogir_power_of_two_v2(<2 x i64> %v15)
  %v17 = fneg <2 x double> %w.16
  %v18 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v17)
  %one.19 = extractvalue { <2 x double>, <2 x double> } %v18, 0
  %one_low.20 = extractvalue { <2 x double>, <2 x double> } %v18, 1
  %v21 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %t.10)
  %base.22 = extractvalue { <2 x double>, <2 x double> } %v21, 0
  %base_low.23 = extractvalue { <2 x double>, <2 x double> } %v21, 1
  %v24 = fadd <2 x double> %base_low.23, %t_low.11
  %v25 = call { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> %t.10, <2 x double> %t_low.11, <2 x double> %base.22, <2 x double> %v24)
  %quotient.26 = extractvalue { <2 x double>, <2 x double> } %v25, 0
  %quotient_low.27 = extractvalue { <2 x double>, <2 x double> } %v25, 1
  %v28 = fmul <2 x double> %w.16, %quotient.26
  %v29 = fmul <2 x double> %w.16, %quotient_low.27
  %v30 = insertvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } poison, <2 x i64> %k.6, 0
  %v31 = insertvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v30, <2 x double> %one.19, 1
  %v32 = insertvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v31, <2 x double> %one_low.20, 2
  %v33 = insertvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v32, <2 x double> %t.10, 3
  %v34 = insertvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v33, <2 x double> %t_low.11, 4
  %v35 = insertvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v34, <2 x double> %v28, 5
  %v36 = insertvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v35, <2 x double> %v29, 6
  ret { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v36
}

define internal i64 @cogir_is_accepted(double noundef %square.1) nounwind alwaysinline {
b0:
  %v2 = fcmp olt double %square.1, 0x3FF0000000000000
  %v3 = fcmp oeq double %square.1, 0x0000000000000000
  %v4 = select i1 %v3, i64 0, i64 1
  %v5 = select i1 %v2, i64 %v4, i64 0
  ret i64 %v5
}

define internal i64 @cogir_is_accepted_ahead(double noundef %square.1) nounwind alwaysinline {
b0:
  %v2 = fcmp olt double %square.1, 0x3FF0000000000000
  %v3 = fcmp oeq double %square.1, 0x0000000000000000
  %v4 = select i1 %v3, i64 0, i64 1
  %v5 = select i1 %v2, i64 %v4, i64 0
  ret i64 %v5
}

define internal i64 @cogir_left(i64 noundef %word.1, i64 noundef %last.2, i64 noundef %index.3) nounwind alwaysinline {
b0:
  %v4 = call i64 @cogir_mixed(i64 %last.2)
  %v5 = mul i64 %v4, 1566083941
  %v6 = xor i64 %word.1, %v5
  %v7 = sub i64 %v6, %index.3
  ret i64 %v7
}

define internal i64 @cogir_left_1(i64 noundef %word.1, i64 noundef %last.2) nounwind alwaysinline {
b0:
  %v3 = call i64 @cogir_mixed(i64 %last.2)
  %v4 = mul i64 %v3, 1566083941
  %v5 = xor i64 %word.1, %v4
  %v6 = sub i64 %v5, 1
  ret i64 %v6
}

define internal double @cogir_legacy_beta_of_small(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, double noundef %a.2, double noundef %b.3) nounwind alwaysinline {
b0:
  br label %b1
b1:
  %waiting.4 = phi i1 [ true, %b0 ], [ %v33, %b8 ]
  %value.5 = phi double [ 0x0000000000000000, %b0 ], [ %v34, %b8 ]
  br i1 %waiting.4, label %b2, label %b9
b2:
  %u.6 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v.7 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v8 = fdiv double 0x3FF0000000000000, %a.2
  %x.9 = call double @pow(double %u.6, double %v8) nobuiltin
  %v10 = fdiv double 0x3FF0000000000000, %b.3
  %y.11 = call double @pow(double %v.7, double %v10) nobuiltin
  %v12 = fadd double %x.9, %y.11
  %v13 = fcmp ole double %v12, 0x3FF0000000000000
  br i1 %v13, label %b3, label %b7
b3:
  %v14 = fadd double %x.9, %y.11
  %v15 = fcmp ogt double %v14, 0x0000000000000000
  br i1 %v15, label %b4, label %b5
b4:
  %v16 = fadd double %x.9, %y.11
  %value.17 = fdiv double %x.9, %v16
  br label %b6
b5:
  %v18 = call double @log(double %u.6) nobuiltin
  %log_x.19 = fdiv double %v18, %a.2
  %v20 = call double @log(double %v.7) nobuiltin
  %log_y.21 = fdiv double %v20, %b.3
  %v22 = fcmp ogt double %log_x.19, %log_y.21
  %larger.23 = select i1 %v22, double %log_x.19, double %log_y.21
  %log_x.24 = fsub double %log_x.19, %larger.23
  %log_y.25 = fsub double %log_y.21, %larger.23
  %v26 = call double @exp(double %log_x.24) nobuiltin
  %v27 = call double @exp(double %log_y.25) nobuiltin
  %v28 = fadd double %v26, %v27
  %v29 = call double @log(double %v28) nobuiltin
  %v30 = fsub double %log_x.24, %v29
  %value.31 = call double @exp(double %v30) nobuiltin
  br label %b6
b6:
  %v32 = phi double [ %value.17, %b4 ], [ %value.31, %b5 ]
  br label %b8
b7:
  br label %b8
b8:
  %v33 = phi i1 [ false, %b6 ], [ %waiting.4, %b7 ]
  %v34 = phi double [ %v32, %b6 ], [ %value.5, %b7 ]
  br label %b1
b9:
  ret double %value.5
}

define internal double @cogir_log1p_1(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp olt double %x.1, 0x7FF0000000000000
  %v3 = fcmp ogt double %x.1, 0xBFF0000000000000
  %inside.4 = and i1 %v2, %v3
  %v5 = select i1 %inside.4, double %x.1, double 0x0000000000000000
  %v6 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %v5)
  %u.7 = extractvalue { double, double } %v6, 0
  %u_low.8 = extractvalue { double, double } %v6, 1
  %v9 = fadd double 0x3FF0000000000000, %x.1
  %v10 = call double @cogir_log_sum(double %u.7, double %u_low.8, double 0x0000000000000000)
  %v11 = call double @cogir_at_the_edges(double %v9, double %v10)
  %v12 = call double @llvm.copysign.f64(double %v11, double %x.1)
  ret double %v12
}

define internal double @cogir_log_1(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { double, double } @cogir_split(double %x.1)
  %k.3 = extractvalue { double, double } %v2, 0
  %m.4 = extractvalue { double, double } %v2, 1
  %v5 = fsub double %m.4, 0x3FF0000000000000
  %v6 = call { double, double } @cogir_log_fraction(double %v5)
  %head.7 = extractvalue { double, double } %v6, 0
  %rest.8 = extractvalue { double, double } %v6, 1
  %v9 = fmul double %k.3, 0x3FE62E42FEFA3800
  %v10 = call { double, double } @cogir_fast_two_sum(double %v9, double %head.7)
  %high.11 = extractvalue { double, double } %v10, 0
  %low.12 = extractvalue { double, double } %v10, 1
  %v13 = call double @llvm.fma.f64(double %k.3, double 0x3D2EF35793C76730, double %rest.8)
  %v14 = fadd double %low.12, %v13
  %v15 = fadd double %high.11, %v14
  %v16 = call double @cogir_at_the_edges(double %x.1, double %v15)
  ret double %v16
}

define internal double @cogir_log_elsewhere_fused(double noundef %x.1) nounwind alwaysinline {
b0:
  %subnormal.2 = fcmp olt double %x.1, 0x0010000000000000
  %v3 = fmul double %x.1, 0x4330000000000000
  %v4 = select i1 %subnormal.2, double %v3, double %x.1
  %bits.5 = bitcast double %v4 to i64
  %v6 = select i1 %subnormal.2, i64 234187180623265792, i64 0
  %bits.7 = sub i64 %bits.5, %v6
  %offset.8 = sub i64 %bits.7, 4604367669032910848
  %v9 = ashr i64 %offset.8, 45
  %i.10 = and i64 %v9, 127
  %v11 = ashr i64 %offset.8, 52
  %k.12 = sitofp i64 %v11 to double
  %v13 = and i64 %offset.8, -4503599627370496
  %v14 = sub i64 %bits.7, %v13
  %z.15 = bitcast i64 %v14 to double
  %v16 = add i64 %i.10, 128
  %v17 = icmp slt i64 %i.10, 0
  %v18 = select i1 %v17, i64 %v16, i64 %i.10
  %v19 = call i64 @llvm.smax.i64(i64 %v18, i64 0)
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 127)
  %v21 = getelementptr inbounds double, ptr @cogir_c_log_fused_constant_0, i64 %v20
  %inverse.22 = load double, ptr %v21
  %v23 = add i64 %i.10, 128
  %v24 = icmp slt i64 %i.10, 0
  %v25 = select i1 %v24, i64 %v23, i64 %i.10
  %v26 = call i64 @llvm.smax.i64(i64 %v25, i64 0)
  %v27 = call i64 @llvm.smin.i64(i64 %v26, i64 127)
  %v28 = getelementptr inbounds double, ptr @cogir_c_log_fused_constant_1, i64 %v27
  %logarithm.29 = load double, ptr %v28
  %r.30 = call double @llvm.fma.f64(double %z.15, double %inverse.22, double 0xBFF0000000000000)
  %w.31 = call double @cogir_multiply_add_fused(double %k.12, double 0x3FE62E42FEFA3800, double %logarithm.29)
  %high.32 = fadd double %w.31, %r.30
  %v33 = fsub double %w.31, %high.32
  %v34 = fadd double %v33, %r.30
  %low.35 = call double @cogir_multiply_add_fused(double %k.12, double 0x3D2EF35793C76730, double %v34)
  %r2.36 = fmul double %r.30, %r.30
  %series.37 = call double @cogir_multiply_add_fused(double 0xBFC55575E506C89F, double %r.30, double 0x3FC999B324F10111)
  %v38 = call double @cogir_multiply_add_fused(double 0xBFCFFFFFFFEB4590, double %r.30, double 0x3FD555555551305B)
  %series.39 = call double @cogir_multiply_add_fused(double %series.37, double %r2.36, double %v38)
  %v40 = fmul double %r.30, %r2.36
  %v41 = call double @cogir_multiply_add_fused(double 0xBFE0000000000001, double %r2.36, double %low.35)
  %v42 = call double @cogir_multiply_add_fused(double %v40, double %series.39, double %v41)
  %v43 = fadd double %v42, %high.32
  ret double %v43
}

define internal double @cogir_log_elsewhere_separate(double noundef %x.1) nounwind alwaysinline {
b0:
  %subnormal.2 = fcmp olt double %x.1, 0x0010000000000000
  %v3 = fmul double %x.1, 0x4330000000000000
  %v4 = select i1 %subnormal.2, double %v3, double %x.1
  %bits.5 = bitcast double %v4 to i64
  %v6 = select i1 %subnormal.2, i64 234187180623265792, i64 0
  %bits.7 = sub i64 %bits.5, %v6
  %offset.8 = sub i64 %bits.7, 4604367669032910848
  %v9 = ashr i64 %offset.8, 45
  %i.10 = and i64 %v9, 127
  %v11 = ashr i64 %offset.8, 52
  %k.12 = sitofp i64 %v11 to double
  %v13 = and i64 %offset.8, -4503599627370496
  %v14 = sub i64 %bits.7, %v13
  %z.15 = bitcast i64 %v14 to double
  %v16 = add i64 %i.10, 128
  %v17 = icmp slt i64 %i.10, 0
  %v18 = select i1 %v17, i64 %v16, i64 %i.10
  %v19 = call i64 @llvm.smax.i64(i64 %v18, i64 0)
  %v20 = call i64 @llvm.smin.i64(i64 %v19, i64 127)
  %v21 = getelementptr inbounds double, ptr @cogir_c_log_separate_constant_0, i64 %v20
  %inverse.22 = load double, ptr %v21
  %v23 = add i64 %i.10, 128
  %v24 = icmp slt i64 %i.10, 0
  %v25 = select i1 %v24, i64 %v23, i64 %i.10
  %v26 = call i64 @llvm.smax.i64(i64 %v25, i64 0)
  %v27 = call i64 @llvm.smin.i64(i64 %v26, i64 127)
  %v28 = getelementptr inbounds double, ptr @cogir_c_log_separate_constant_1, i64 %v27
  %logarithm.29 = load double, ptr %v28
  %v30 = add i64 %i.10, 128
  %v31 = icmp slt i64 %i.10, 0
  %v32 = select i1 %v31, i64 %v30, i64 %i.10
  %v33 = call i64 @llvm.smax.i64(i64 %v32, i64 0)
  %v34 = call i64 @llvm.smin.i64(i64 %v33, i64 127)
  %v35 = getelementptr inbounds double, ptr @cogir_c_log_separate_constant_2, i64 %v34
  %v36 = load double, ptr %v35
  %v37 = fsub double %z.15, %v36
  %v38 = add i64 %i.10, 128
  %v39 = icmp slt i64 %i.10, 0
  %v40 = select i1 %v39, i64 %v38, i64 %i.10
  %v41 = call i64 @llvm.smax.i64(i64 %v40, i64 0)
  %v42 = call i64 @llvm.smin.i64(i64 %v41, i64 127)
  %v43 = getelementptr inbounds double, ptr @cogir_c_log_separate_constant_3, i64 %v42
  %v44 = load double, ptr %v43
  %v45 = fsub double %v37, %v44
  %r.46 = fmul double %v45, %inverse.22
  %w.47 = call double @cogir_multiply_add_separate(double %k.12, double 0x3FE62E42FEFA3800, double %logarithm.29)
  %high.48 = fadd double %w.47, %r.46
  %v49 = fsub double %w.47, %high.48
  %v50 = fadd double %v49, %r.46
  %low.51 = call double @cogir_multiply_add_separate(double %k.12, double 0x3D2EF35793C76730, double %v50)
  %r2.52 = fmul double %r.46, %r.46
  %series.53 = call double @cogir_multiply_add_separate(double 0xBFC55575E506C89F, double %r.46, double 0x3FC999B324F10111)
  %v54 = call double @cogir_multiply_add_separate(double 0xBFCFFFFFFFEB4590, double %r.46, double 0x3FD555555551305B)
  %series.55 = call double @cogir_multiply_add_separate(double %series.53, double %r2.52, double %v54)
  %v56 = fmul double %r.46, %r2.52
  %v57 = call double @cogir_multiply_add_separate(double 0xBFE0000000000001, double %r2.52, double %low.51)
  %v58 = call double @cogir_multiply_add_separate(double %v56, double %series.55, double %v57)
  %v59 = fadd double %v58, %high.48
  ret double %v59
}

define internal { double, double } @cogir_log_fraction(double noundef %f.1) nounwind alwaysinline {
b0:
  %v2 = fadd double 0x4000000000000000, %f.1
  %s.3 = fdiv double %f.1, %v2
  %z.4 = fmul double %s.3, %s.3
  %z2.5 = fmul double %z.4, %z.4
  %series.6 = call double @cogir_poly4(double %z.4, double 0x3FE5555555555558, double 0x3FD9999999995273, double 0x3FD2492492DFD86C, double 0x3FCC71C62D5E53E0)
  %v7 = call double @llvm.fma.f64(double 0x3FC39FDCCEB4BB45, double %z.4, double 0x3FC7462B91B8DF65)
  %v8 = call double @llvm.fma.f64(double 0x3FC2B5F68A50D903, double %z2.5, double %v7)
  %v9 = fmul double %z2.5, %z2.5
  %series.10 = call double @llvm.fma.f64(double %v8, double %v9, double %series.6)
  %v11 = fmul double 0x3FE0000000000000, %f.1
  %v12 = call { double, double } @cogir_two_product(double %f.1, double %v11)
  %square.13 = extractvalue { double, double } %v12, 0
  %square_low.14 = extractvalue { double, double } %v12, 1
  %v15 = fneg double %square.13
  %v16 = call { double, double } @cogir_fast_two_sum(double %f.1, double %v15)
  %high.17 = extractvalue { double, double } %v16, 0
  %low.18 = extractvalue { double, double } %v16, 1
  %v19 = call double @llvm.fma.f64(double %z.4, double %series.10, double %square.13)
  %v20 = fneg double %square_low.14
  %v21 = call double @llvm.fma.f64(double %s.3, double %v19, double %v20)
  %v22 = fadd double %low.18, %v21
  %v23 = insertvalue { double, double } poison, double %high.17, 0
  %v24 = insertvalue { double, double } %v23, double %v22, 1
  ret { double, double } %v24
}

define internal { <2 x double>, <2 x double> } @cogir_log_fraction_v2(<2 x double> noundef %f.1) nounwind alwaysinline {
b0:
  %v2 = fadd <2 x double> splat (double 0x4000000000000000), %f.1
  %s.3 = fdiv <2 x double> %f.1, %v2
  %z.4 = fmul <2 x double> %s.3, %s.3
  %z2.5 = fmul <2 x double> %z.4, %z.4
  %series.6 = call <2 x double> @cogir_poly4_v2(<2 x double> %z.4, <2 x double> splat (double 0x3FE5555555555558), <2 x double> splat (double 0x3FD9999999995273), <2 x double> splat (double 0x3FD2492492DFD86C), <2 x double> splat (double 0x3FCC71C62D5E53E0))
  %v7 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3FC39FDCCEB4BB45), <2 x double> %z.4, <2 x double> splat (double 0x3FC7462B91B8DF65))
  %v8 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3FC2B5F68A50D903), <2 x double> %z2.5, <2 x double> %v7)
  %v9 = fmul <2 x double> %z2.5, %z2.5
  %series.10 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v8, <2 x double> %v9, <2 x double> %series.6)
  %v11 = fmul <2 x double> splat (double 0x3FE0000000000000), %f.1
  %v12 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %f.1, <2 x double> %v11)
  %square.13 = extractvalue { <2 x double>, <2 x double> } %v12, 0
  %square_low.14 = extractvalue { <2 x double>, <2 x double> } %v12, 1
  %v15 = fneg <2 x double> %square.13
  %v16 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %f.1, <2 x double> %v15)
  %high.17 = extractvalue { <2 x double>, <2 x double> } %v16, 0
  %low.18 = extractvalue { <2 x double>, <2 x double> } %v16, 1
  %v19 = call <2 x double> @llvm.fma.v2f64(<2 x double> %z.4, <2 x double> %series.10, <2 x double> %square.13)
  %v20 = fneg <2 x double> %square_low.14
  %v21 = call <2 x double> @llvm.fma.v2f64(<2 x double> %s.3, <2 x double> %v19, <2 x double> %v20)
  %v22 = fadd <2 x double> %low.18, %v21
  %v23 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.17, 0
  %v24 = insertvalue { <2 x double>, <2 x double> } %v23, <2 x double> %v22, 1
  ret { <2 x double>, <2 x double> } %v24
}

define internal double @cogir_log_near_one_fused(double noundef %x.1) nounwind alwaysinline {
b0:
  %r.2 = fsub double %x.1, 0x3FF0000000000000
  %r2.3 = fmul double %r.2, %r.2
  %r3.4 = fmul double %r.2, %r2.3
  %first.5 = call double @cogir_multiply_add_fused(double 0xBFCFFFFFFFFFFDCB, double %r.2, double 0x3FD5555555555577)
  %first.6 = call double @cogir_multiply_add_fused(double 0x3FC999999995DD0C, double %r2.3, double %first.5)
  %second.7 = call double @cogir_multiply_add_fused(double 0x3FC24924A344DE30, double %r.2, double 0xBFC55555556745A7)
  %second.8 = call double @cogir_multiply_add_fused(double 0xBFBFFFFFA4423D65, double %r2.3, double %second.7)
  %third.9 = call double @cogir_multiply_add_fused(double 0xBFB999EB43B068FF, double %r.2, double 0x3FBC7184282AD6CA)
  %third.10 = call double @cogir_multiply_add_fused(double 0x3FB78182F7AFD085, double %r2.3, double %third.9)
  %third.11 = call double @cogir_multiply_add_fused(double 0xBFB5521375D145CD, double %r3.4, double %third.10)
  %v12 = call double @cogir_multiply_add_fused(double %third.11, double %r3.4, double %second.8)
  %series.13 = call double @cogir_multiply_add_fused(double %v12, double %r3.4, double %first.6)
  %v14 = fneg double %r.2
  %v15 = call double @cogir_multiply_add_fused(double %r.2, double 0x41A0000000000000, double %r.2)
  %upper.16 = call double @cogir_multiply_add_fused(double %v14, double 0x41A0000000000000, double %v15)
  %square.17 = fmul double %upper.16, %upper.16
  %high.18 = call double @cogir_multiply_add_fused(double %square.17, double 0xBFE0000000000000, double %r.2)
  %v19 = fsub double %r.2, %high.18
  %low.20 = call double @cogir_multiply_add_fused(double %square.17, double 0xBFE0000000000000, double %v19)
  %v21 = fsub double %r.2, %upper.16
  %v22 = fmul double 0xBFE0000000000000, %v21
  %v23 = fadd double %r.2, %upper.16
  %low.24 = call double @cogir_multiply_add_fused(double %v22, double %v23, double %low.20)
  %v25 = call double @cogir_multiply_add_fused(double %series.13, double %r3.4, double %low.24)
  %v26 = fadd double %high.18, %v25
  ret double %v26
}

define internal double @cogir_log_near_one_separate(double noundef %x.1) nounwind alwaysinline {
b0:
  %r.2 = fsub double %x.1, 0x3FF0000000000000
  %r2.3 = fmul double %r.2, %r.2
  %r3.4 = fmul double %r.2, %r2.3
  %first.5 = call double @cogir_multiply_add_separate(double 0xBFCFFFFFFFFFFDCB, double %r.2, double 0x3FD5555555555577)
  %first.6 = call double @cogir_multiply_add_separate(double 0x3FC999999995DD0C, double %r2.3, double %first.5)
  %second.7 = call double @cogir_multiply_add_separate(double 0x3FC24924A344DE30, double %r.2, double 0xBFC55555556745A7)
  %second.8 = call double @cogir_multiply_add_separate(double 0xBFBFFFFFA4423D65, double %r2.3, double %second.7)
  %third.9 = call double @cogir_multiply_add_separate(double 0xBFB999EB43B068FF, double %r.2, double 0x3FBC7184282AD6CA)
  %third.10 = call double @cogir_multiply_add_separate(double 0x3FB78182F7AFD085, double %r2.3, double %third.9)
  %third.11 = call double @cogir_multiply_add_separate(double 0xBFB5521375D145CD, double %r3.4, double %third.10)
  %v12 = call double @cogir_multiply_add_separate(double %third.11, double %r3.4, double %second.8)
  %series.13 = call double @cogir_multiply_add_separate(double %v12, double %r3.4, double %first.6)
  %v14 = fneg double %r.2
  %v15 = call double @cogir_multiply_add_separate(double %r.2, double 0x41A0000000000000, double %r.2)
  %upper.16 = call double @cogir_multiply_add_separate(double %v14, double 0x41A0000000000000, double %v15)
  %square.17 = fmul double %upper.16, %upper.16
  %high.18 = call double @cogir_multiply_add_separate(double %square.17, double 0xBFE0000000000000, double %r.2)
  %v19 = fsub double %r.2, %high.18
  %low.20 = call double @cogir_multiply_add_separate(double %square.17, double 0xBFE0000000000000, double %v19)
  %v21 = fsub double %r.2, %upper.16
  %v22 = fmul double 0xBFE0000000000000, %v21
  %v23 = fadd double %r.2, %upper.16
  %low.24 = call double @cogir_multiply_add_separate(double %v22, double %v23, double %low.20)
  %v25 = call double @cogir_multiply_add_separate(double %series.13, double %r3.4, double %low.24)
  %v26 = fadd double %high.18, %v25
  ret double %v26
}

define internal double @cogir_log_of_uniform(double noundef %u.1) nounwind alwaysinline {
b0:
  %bits.2 = bitcast double %u.1 to i64
  %v3 = add i64 %bits.2, 2638147582215219
  %v4 = lshr i64 %v3, 52
  %v5 = or i64 %v4, 4841369599423283200
  %v6 = bitcast i64 %v5 to double
  %k.7 = fsub double %v6, 0x43300000000003FF
  %v8 = add i64 %bits.2, 2638147582215219
  %v9 = and i64 %v8, 4503599627370495
  %v10 = add i64 %v9, 4604544271217802189
  %v11 = bitcast i64 %v10 to double
  %f.12 = fsub double %v11, 0x3FF0000000000000
  %v13 = fadd double 0x4000000000000000, %f.12
  %s.14 = fdiv double %f.12, %v13
  %z.15 = fmul double %s.14, %s.14
  %series.16 = call double @cogir_poly7(double %z.15, double 0x3FE5555555555558, double 0x3FD9999999995273, double 0x3FD2492492DFD86C, double 0x3FCC71C62D5E53E0, double 0x3FC7462B91B8DF65, double 0x3FC39FDCCEB4BB45, double 0x3FC2B5F68A50D903)
  %v17 = fmul double %s.14, %z.15
  %v18 = fadd double %s.14, %s.14
  %v19 = call double @llvm.fma.f64(double %v17, double %series.16, double %v18)
  %v20 = call double @llvm.fma.f64(double %k.7, double 0x3FE62E42FEFA39EF, double %v19)
  ret double %v20
}

define internal { double, double } @cogir_log_pair(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { double, double } @cogir_split(double %x.1)
  %k.3 = extractvalue { double, double } %v2, 0
  %m.4 = extractvalue { double, double } %v2, 1
  %f.5 = fsub double %m.4, 0x3FF0000000000000
  %v6 = call { double, double } @cogir_fast_two_sum(double 0x4000000000000000, double %f.5)
  %below.7 = extractvalue { double, double } %v6, 0
  %below_low.8 = extractvalue { double, double } %v6, 1
  %s.9 = fdiv double %f.5, %below.7
  %v10 = fneg double %s.9
  %v11 = fneg double %s.9
  %v12 = call double @llvm.fma.f64(double %v11, double %below.7, double %f.5)
  %v13 = call double @llvm.fma.f64(double %v10, double %below_low.8, double %v12)
  %s_low.14 = fdiv double %v13, %below.7
  %v15 = call { double, double } @cogir_pair_product(double %s.9, double %s_low.14, double %s.9, double %s_low.14)
  %z.16 = extractvalue { double, double } %v15, 0
  %z_low.17 = extractvalue { double, double } %v15, 1
  %tail.18 = call double @cogir_poly4(double %z.16, double 0x3FD2492492492497, double 0x3FCC71C71C7153B2, double 0x3FC745D175518B2D, double 0x3FC3B13A51CD4D2F)
  %v19 = call double @llvm.fma.f64(double 0x3FBD9CC795CC9AE7, double %z.16, double 0x3FBE01F44110E9CE)
  %v20 = call double @llvm.fma.f64(double %v19, double %z.16, double 0x3FC1115A247755E8)
  %v21 = fmul double %z.16, %z.16
  %v22 = fmul double %z.16, %z.16
  %v23 = fmul double %v21, %v22
  %tail.24 = call double @llvm.fma.f64(double %v20, double %v23, double %tail.18)
  %v25 = fmul double %z.16, %tail.24
  %v26 = call { double, double } @cogir_fast_two_sum(double 0x3FD999999999999A, double %v25)
  %inner.27 = extractvalue { double, double } %v26, 0
  %inner_low.28 = extractvalue { double, double } %v26, 1
  %v29 = fadd double %inner_low.28, 0xBC7999999999999A
  %v30 = call { double, double } @cogir_pair_product(double %z.16, double %z_low.17, double %inner.27, double %v29)
  %inner.31 = extractvalue { double, double } %v30, 0
  %inner_low.32 = extractvalue { double, double } %v30, 1
  %v33 = call { double, double } @cogir_fast_two_sum(double 0x3FE5555555555555, double %inner.31)
  %outer.34 = extractvalue { double, double } %v33, 0
  %outer_low.35 = extractvalue { double, double } %v33, 1
  %v36 = fadd double %inner_low.32, 0x3C85555555555555
  %v37 = fadd double %outer_low.35, %v36
  %v38 = call { double, double } @cogir_pair_product(double %z.16, double %z_low.17, double %outer.34, double %v37)
  %outer.39 = extractvalue { double, double } %v38, 0
  %outer_low.40 = extractvalue { double, double } %v38, 1
  %v41 = call { double, double } @cogir_pair_product(double %s.9, double %s_low.14, double %outer.39, double %outer_low.40)
  %rest.42 = extractvalue { double, double } %v41, 0
  %rest_low.43 = extractvalue { double, double } %v41, 1
  %v44 = fadd double %s.9, %s.9
  %v45 = call { double, double } @cogir_fast_two_sum(double %v44, double %rest.42)
  %high.46 = extractvalue { double, double } %v45, 0
  %low.47 = extractvalue { double, double } %v45, 1
  %v48 = fadd double %s_low.14, %s_low.14
  %v49 = fadd double %rest_low.43, %v48
  %low.50 = fadd double %low.47, %v49
  %v51 = fmul double %k.3, 0x3FE62E42FEFA3800
  %v52 = call { double, double } @cogir_fast_two_sum(double %v51, double %high.46)
  %total.53 = extractvalue { double, double } %v52, 0
  %total_low.54 = extractvalue { double, double } %v52, 1
  %v55 = call double @llvm.fma.f64(double %k.3, double 0x3D2EF35793C76730, double %low.50)
  %v56 = fadd double %total_low.54, %v55
  %v57 = call { double, double } @cogir_fast_two_sum(double %total.53, double %v56)
  %v58 = extractvalue { double, double } %v57, 0
  %v59 = extractvalue { double, double } %v57, 1
  %v60 = insertvalue { double, double } poison, double %v58, 0
  %v61 = insertvalue { double, double } %v60, double %v59, 1
  ret { double, double } %v61
}

define internal { <2 x double>, <2 x double> } @cogir_log_pair_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x double>, <2 x double> } @cogir_split_v2(<2 x double> %x.1)
  %k.3 = extractvalue { <2 x double>, <2 x double> } %v2, 0
  %m.4 = extractvalue { <2 x double>, <2 x double> } %v2, 1
  %f.5 = fsub <2 x double> %m.4, splat (double 0x3FF0000000000000)
  %v6 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x4000000000000000), <2 x double> %f.5)
  %below.7 = extractvalue { <2 x double>, <2 x double> } %v6, 0
  %below_low.8 = extractvalue { <2 x double>, <2 x double> } %v6, 1
  %s.9 = fdiv <2 x double> %f.5, %below.7
  %v10 = fneg <2 x double> %s.9
  %v11 = fneg <2 x double> %s.9
  %v12 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v11, <2 x double> %below.7, <2 x double> %f.5)
  %v13 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v10, <2 x double> %below_low.8, <2 x double> %v12)
  %s_low.14 = fdiv <2 x double> %v13, %below.7
  %v15 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %s.9, <2 x double> %s_low.14, <2 x double> %s.9, <2 x double> %s_low.14)
  %z.16 = extractvalue { <2 x double>, <2 x double> } %v15, 0
  %z_low.17 = extractvalue { <2 x double>, <2 x double> } %v15, 1
  %tail.18 = call <2 x double> @cogir_poly4_v2(<2 x double> %z.16, <2 x double> splat (double 0x3FD2492492492497), <2 x double> splat (double 0x3FCC71C71C7153B2), <2 x double> splat (double 0x3FC745D175518B2D), <2 x double> splat (double 0x3FC3B13A51CD4D2F))
  %v19 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3FBD9CC795CC9AE7), <2 x double> %z.16, <2 x double> splat (double 0x3FBE01F44110E9CE))
  %v20 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v19, <2 x double> %z.16, <2 x double> splat (double 0x3FC1115A247755E8))
  %v21 = fmul <2 x double> %z.16, %z.16
  %v22 = fmul <2 x double> %z.16, %z.16
  %v23 = fmul <2 x double> %v21, %v22
  %tail.24 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v20, <2 x double> %v23, <2 x double> %tail.18)
  %v25 = fmul <2 x double> %z.16, %tail.24
  %v26 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FD999999999999A), <2 x double> %v25)
  %inner.27 = extractvalue { <2 x double>, <2 x double> } %v26, 0
  %inner_low.28 = extractvalue { <2 x double>, <2 x double> } %v26, 1
  %v29 = fadd <2 x double> %inner_low.28, splat (double 0xBC7999999999999A)
  %v30 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %z.16, <2 x double> %z_low.17, <2 x double> %inner.27, <2 x double> %v29)
  %inner.31 = extractvalue { <2 x double>, <2 x double> } %v30, 0
  %inner_low.32 = extractvalue { <2 x double>, <2 x double> } %v30, 1
  %v33 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FE5555555555555), <2 x double> %inner.31)
  %outer.34 = extractvalue { <2 x double>, <2 x double> } %v33, 0
  %outer_low.35 = extractvalue { <2 x double>, <2 x double> } %v33, 1
  %v36 = fadd <2 x double> %inner_low.32, splat (double 0x3C85555555555555)
  %v37 = fadd <2 x double> %outer_low.35, %v36
  %v38 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %z.16, <2 x double> %z_low.17, <2 x double> %outer.34, <2 x double> %v37)
  %outer.39 = extractvalue { <2 x double>, <2 x double> } %v38, 0
  %outer_low.40 = extractvalue { <2 x double>, <2 x double> } %v38, 1
  %v41 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %s.9, <2 x double> %s_low.14, <2 x double> %outer.39, <2 x double> %outer_low.40)
  %rest.42 = extractvalue { <2 x double>, <2 x double> } %v41, 0
  %rest_low.43 = extractvalue { <2 x double>, <2 x double> } %v41, 1
  %v44 = fadd <2 x double> %s.9, %s.9
  %v45 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %v44, <2 x double> %rest.42)
  %high.46 = extractvalue { <2 x double>, <2 x double> } %v45, 0
  %low.47 = extractvalue { <2 x double>, <2 x double> } %v45, 1
  %v48 = fadd <2 x double> %s_low.14, %s_low.14
  %v49 = fadd <2 x double> %rest_low.43, %v48
  %low.50 = fadd <2 x double> %low.47, %v49
  %v51 = fmul <2 x double> %k.3, splat (double 0x3FE62E42FEFA3800)
  %v52 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %v51, <2 x double> %high.46)
  %total.53 = extractvalue { <2 x double>, <2 x double> } %v52, 0
  %total_low.54 = extractvalue { <2 x double>, <2 x double> } %v52, 1
  %v55 = call <2 x double> @llvm.fma.v2f64(<2 x double> %k.3, <2 x double> splat (double 0x3D2EF35793C76730), <2 x double> %low.50)
  %v56 = fadd <2 x double> %total_low.54, %v55
  %v57 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %total.53, <2 x double> %v56)
  %v58 = extractvalue { <2 x double>, <2 x double> } %v57, 0
  %v59 = extractvalue { <2 x double>, <2 x double> } %v57, 1
  %v60 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %v58, 0
  %v61 = insertvalue { <2 x double>, <2 x double> } %v60, <2 x double> %v59, 1
  ret { <2 x double>, <2 x double> } %v61
}

define internal double @cogir_log_sum(double noundef %u.1, double noundef %u_low.2, double noundef %doublings.3) nounwind alwaysinline {
b0:
  %v4 = call { double, double } @cogir_split(double %u.1)
  %k.5 = extractvalue { double, double } %v4, 0
  %m.6 = extractvalue { double, double } %v4, 1
  %k.7 = fadd double %k.5, %doublings.3
  %v8 = fsub double %m.6, 0x3FF0000000000000
  %v9 = call { double, double } @cogir_log_fraction(double %v8)
  %head.10 = extractvalue { double, double } %v9, 0
  %rest.11 = extractvalue { double, double } %v9, 1
  %v12 = fmul double %k.7, 0x3FE62E42FEFA3800
  %v13 = call { double, double } @cogir_fast_two_sum(double %v12, double %head.10)
  %high.14 = extractvalue { double, double } %v13, 0
  %low.15 = extractvalue { double, double } %v13, 1
  %v16 = fdiv double %u_low.2, %u.1
  %v17 = call { double, double } @cogir_two_sum(double %high.14, double %v16)
  %high.18 = extractvalue { double, double } %v17, 0
  %shift.19 = extractvalue { double, double } %v17, 1
  %v20 = call double @llvm.fma.f64(double %k.7, double 0x3D2EF35793C76730, double %rest.11)
  %v21 = fadd double %low.15, %v20
  %v22 = fadd double %shift.19, %v21
  %v23 = fadd double %high.18, %v22
  ret double %v23
}

define internal <2 x double> @cogir_log_sum_v2(<2 x double> noundef %u.1, <2 x double> noundef %u_low.2, <2 x double> noundef %doublings.3) nounwind alwaysinline {
b0:
  %v4 = call { <2 x double>, <2 x double> } @cogir_split_v2(<2 x double> %u.1)
  %k.5 = extractvalue { <2 x double>, <2 x double> } %v4, 0
  %m.6 = extractvalue { <2 x double>, <2 x double> } %v4, 1
  %k.7 = fadd <2 x double> %k.5, %doublings.3
  %v8 = fsub <2 x double> %m.6, splat (double 0x3FF0000000000000)
  %v9 = call { <2 x double>, <2 x double> } @cogir_log_fraction_v2(<2 x double> %v8)
  %head.10 = extractvalue { <2 x double>, <2 x double> } %v9, 0
  %rest.11 = extractvalue { <2 x double>, <2 x double> } %v9, 1
  %v12 = fmul <2 x double> %k.7, splat (double 0x3FE62E42FEFA3800)
  %v13 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %v12, <2 x double> %head.10)
  %high.14 = extractvalue { <2 x double>, <2 x double> } %v13, 0
  %low.15 = extractvalue { <2 x double>, <2 x double> } %v13, 1
  %v16 = fdiv <2 x double> %u_low.2, %u.1
  %v17 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> %high.14, <2 x double> %v16)
  %high.18 = extractvalue { <2 x double>, <2 x double> } %v17, 0
  %shift.19 = extractvalue { <2 x double>, <2 x double> } %v17, 1
  %v20 = call <2 x double> @llvm.fma.v2f64(<2 x double> %k.7, <2 x double> splat (double 0x3D2EF35793C76730), <2 x double> %rest.11)
  %v21 = fadd <2 x double> %low.15, %v20
  %v22 = fadd <2 x double> %shift.19, %v21
  %v23 = fadd <2 x double> %high.18, %v22
  ret <2 x double> %v23
}

; size 26 0
define internal float @cogir_math_acos_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_acos_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 26 0
define internal double @cogir_math_acos_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { i1, double, double } @cogir_asin_parts(double %x.1)
  %outer.3 = extractvalue { i1, double, double } %v2, 0
  %high.4 = extractvalue { i1, double, double } %v2, 1
  %low.5 = extractvalue { i1, double, double } %v2, 2
  %negative.6 = fcmp olt double %x.1, 0x0000000000000000
  %v7 = select i1 %negative.6, double 0x400921FB54442D18, double 0x0000000000000000
  %base.8 = select i1 %outer.3, double %v7, double 0x3FF921FB54442D18
  %v9 = select i1 %negative.6, double 0x3CA1A62633145C07, double 0x0000000000000000
  %base_low.10 = select i1 %outer.3, double %v9, double 0x3C91A62633145C07
  %down.11 = icmp eq i1 %outer.3, %negative.6
  %sign.12 = select i1 %down.11, double 0xBFF0000000000000, double 0x3FF0000000000000
  %v13 = fmul double %sign.12, %high.4
  %v14 = call { double, double } @cogir_fast_two_sum(double %base.8, double %v13)
  %top.15 = extractvalue { double, double } %v14, 0
  %top_low.16 = extractvalue { double, double } %v14, 1
  %v17 = fmul double %sign.12, %low.5
  %v18 = fadd double %base_low.10, %v17
  %v19 = fadd double %top_low.16, %v18
  %v20 = fadd double %top.15, %v19
  ret double %v20
}

; size 26 0
define internal <2 x double> @cogir_math_acos_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x i1>, <2 x double>, <2 x double> } @cogir_asin_parts_v2(<2 x double> %x.1)
  %outer.3 = extractvalue { <2 x i1>, <2 x double>, <2 x double> } %v2, 0
  %high.4 = extractvalue { <2 x i1>, <2 x double>, <2 x double> } %v2, 1
  %low.5 = extractvalue { <2 x i1>, <2 x double>, <2 x double> } %v2, 2
  %negative.6 = fcmp olt <2 x double> %x.1, zeroinitializer
  %v7 = select <2 x i1> %negative.6, <2 x double> splat (double 0x400921FB54442D18), <2 x double> zeroinitializer
  %base.8 = select <2 x i1> %outer.3, <2 x double> %v7, <2 x double> splat (double 0x3FF921FB54442D18)
  %v9 = select <2 x i1> %negative.6, <2 x double> splat (double 0x3CA1A62633145C07), <2 x double> zeroinitializer
  %base_low.10 = select <2 x i1> %outer.3, <2 x double> %v9, <2 x double> splat (double 0x3C91A62633145C07)
  %down.11 = icmp eq <2 x i1> %outer.3, %negative.6
  %sign.12 = select <2 x i1> %down.11, <2 x double> splat (double 0xBFF0000000000000), <2 x double> splat (double 0x3FF0000000000000)
  %v13 = fmul <2 x double> %sign.12, %high.4
  %v14 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %base.8, <2 x double> %v13)
  %top.15 = extractvalue { <2 x double>, <2 x double> } %v14, 0
  %top_low.16 = extractvalue { <2 x double>, <2 x double> } %v14, 1
  %v17 = fmul <2 x double> %sign.12, %low.5
  %v18 = fadd <2 x double> %base_low.10, %v17
  %v19 = fadd <2 x double> %top_low.16, %v18
  %v20 = fadd <2 x double> %top.15, %v19
  ret <2 x double> %v20
}

; size 33 0
define internal float @cogir_math_acosh_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_acosh_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 33 0
define internal double @cogir_math_acosh_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %large.2 = fcmp ogt double %x.1, 0x41CDCD6500000000
  %v3 = fcmp olt double %x.1, 0x3FF0000000000000
  %v4 = or i1 %large.2, %v3
  %inner.5 = select i1 %v4, double 0x4000000000000000, double %x.1
  %m.6 = fsub double %inner.5, 0x3FF0000000000000
  %v7 = call { double, double } @cogir_two_product(double %m.6, double %m.6)
  %square.8 = extractvalue { double, double } %v7, 0
  %square_low.9 = extractvalue { double, double } %v7, 1
  %v10 = fadd double %m.6, %m.6
  %v11 = call { double, double } @cogir_two_sum(double %v10, double %square.8)
  %sum.12 = extractvalue { double, double } %v11, 0
  %sum_low.13 = extractvalue { double, double } %v11, 1
  %v14 = fadd double %sum_low.13, %square_low.9
  %v15 = call { double, double } @cogir_root_of_pair(double %sum.12, double %v14)
  %root.16 = extractvalue { double, double } %v15, 0
  %root_low.17 = extractvalue { double, double } %v15, 1
  %v18 = call { double, double } @cogir_two_sum(double %m.6, double %root.16)
  %t.19 = extractvalue { double, double } %v18, 0
  %t_low.20 = extractvalue { double, double } %v18, 1
  %v21 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %t.19)
  %u.22 = extractvalue { double, double } %v21, 0
  %u_low.23 = extractvalue { double, double } %v21, 1
  %v24 = fcmp olt double %x.1, 0x7FF0000000000000
  %finite.25 = select i1 %v24, double %x.1, double 0x4000000000000000
  %u.26 = select i1 %large.2, double %finite.25, double %u.22
  %v27 = fadd double %t_low.20, %root_low.17
  %v28 = fadd double %u_low.23, %v27
  %u_low.29 = select i1 %large.2, double 0x0000000000000000, double %v28
  %v30 = select i1 %large.2, double 0x3FF0000000000000, double 0x0000000000000000
  %value.31 = call double @cogir_log_sum(double %u.26, double %u_low.29, double %v30)
  %v32 = fcmp oeq double %x.1, 0x3FF0000000000000
  %v33 = fcmp olt double %x.1, 0x3FF0000000000000
  %v34 = select i1 %v33, double 0x7FF8000000000000, double %value.31
  %value.35 = select i1 %v32, double 0x0000000000000000, double %v34
  %v36 = fcmp olt double %x.1, 0x7FF0000000000000
  %v37 = select i1 %v36, double %value.35, double %x.1
  ret double %v37
}

; size 33 0
define internal <2 x double> @cogir_math_acosh_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %large.2 = fcmp ogt <2 x double> %x.1, splat (double 0x41CDCD6500000000)
  %v3 = fcmp olt <2 x double> %x.1, splat (double 0x3FF0000000000000)
  %v4 = or <2 x i1> %large.2, %v3
  %inner.5 = select <2 x i1> %v4, <2 x double> splat (double 0x4000000000000000), <2 x double> %x.1
  %m.6 = fsub <2 x double> %inner.5, splat (double 0x3FF0000000000000)
  %v7 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %m.6, <2 x double> %m.6)
  %square.8 = extractvalue { <2 x double>, <2 x double> } %v7, 0
  %square_low.9 = extractvalue { <2 x double>, <2 x double> } %v7, 1
  %v10 = fadd <2 x double> %m.6, %m.6
  %v11 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> %v10, <2 x double> %square.8)
  %sum.12 = extractvalue { <2 x double>, <2 x double> } %v11, 0
  %sum_low.13 = extractvalue { <2 x double>, <2 x double> } %v11, 1
  %v14 = fadd <2 x double> %sum_low.13, %square_low.9
  %v15 = call { <2 x double>, <2 x double> } @cogir_root_of_pair_v2(<2 x double> %sum.12, <2 x double> %v14)
  %root.16 = extractvalue { <2 x double>, <2 x double> } %v15, 0
  %root_low.17 = extractvalue { <2 x double>, <2 x double> } %v15, 1
  %v18 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> %m.6, <2 x double> %root.16)
  %t.19 = extractvalue { <2 x double>, <2 x double> } %v18, 0
  %t_low.20 = extractvalue { <2 x double>, <2 x double> } %v18, 1
  %v21 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %t.19)
  %u.22 = extractvalue { <2 x double>, <2 x double> } %v21, 0
  %u_low.23 = extractvalue { <2 x double>, <2 x double> } %v21, 1
  %v24 = fcmp olt <2 x double> %x.1, splat (double 0x7FF0000000000000)
  %finite.25 = select <2 x i1> %v24, <2 x double> %x.1, <2 x double> splat (double 0x4000000000000000)
  %u.26 = select <2 x i1> %large.2, <2 x double> %finite.25, <2 x double> %u.22
  %v27 = fadd <2 x double> %t_low.20, %root_low.17
  %v28 = fadd <2 x double> %u_low.23, %v27
  %u_low.29 = select <2 x i1> %large.2, <2 x double> zeroinitializer, <2 x double> %v28
  %v30 = select <2 x i1> %large.2, <2 x double> splat (double 0x3FF0000000000000), <2 x double> zeroinitializer
  %value.31 = call <2 x double> @cogir_log_sum_v2(<2 x double> %u.26, <2 x double> %u_low.29, <2 x double> %v30)
  %v32 = fcmp oeq <2 x double> %x.1, splat (double 0x3FF0000000000000)
  %v33 = fcmp olt <2 x double> %x.1, splat (double 0x3FF0000000000000)
  %v34 = select <2 x i1> %v33, <2 x double> splat (double 0x7FF8000000000000), <2 x double> %value.31
  %value.35 = select <2 x i1> %v32, <2 x double> zeroinitializer, <2 x double> %v34
  %v36 = fcmp olt <2 x double> %x.1, splat (double 0x7FF0000000000000)
  %v37 = select <2 x i1> %v36, <2 x double> %value.35, <2 x double> %x.1
  ret <2 x double> %v37
}

; size 26 0
define internal float @cogir_math_asin_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_asin_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 26 0
define internal double @cogir_math_asin_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { i1, double, double } @cogir_asin_parts(double %x.1)
  %outer.3 = extractvalue { i1, double, double } %v2, 0
  %high.4 = extractvalue { i1, double, double } %v2, 1
  %low.5 = extractvalue { i1, double, double } %v2, 2
  %v6 = fneg double %high.4
  %v7 = call { double, double } @cogir_fast_two_sum(double 0x3FF921FB54442D18, double %v6)
  %top.8 = extractvalue { double, double } %v7, 0
  %top_low.9 = extractvalue { double, double } %v7, 1
  %v10 = fsub double 0x3C91A62633145C07, %low.5
  %v11 = fadd double %top_low.9, %v10
  %v12 = fadd double %top.8, %v11
  %v13 = fadd double %high.4, %low.5
  %value.14 = select i1 %outer.3, double %v12, double %v13
  %v15 = call double @llvm.copysign.f64(double %value.14, double %x.1)
  ret double %v15
}

; size 26 0
define internal <2 x double> @cogir_math_asin_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x i1>, <2 x double>, <2 x double> } @cogir_asin_parts_v2(<2 x double> %x.1)
  %outer.3 = extractvalue { <2 x i1>, <2 x double>, <2 x double> } %v2, 0
  %high.4 = extractvalue { <2 x i1>, <2 x double>, <2 x double> } %v2, 1
  %low.5 = extractvalue { <2 x i1>, <2 x double>, <2 x double> } %v2, 2
  %v6 = fneg <2 x double> %high.4
  %v7 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF921FB54442D18), <2 x double> %v6)
  %top.8 = extractvalue { <2 x double>, <2 x double> } %v7, 0
  %top_low.9 = extractvalue { <2 x double>, <2 x double> } %v7, 1
  %v10 = fsub <2 x double> splat (double 0x3C91A62633145C07), %low.5
  %v11 = fadd <2 x double> %top_low.9, %v10
  %v12 = fadd <2 x double> %top.8, %v11
  %v13 = fadd <2 x double> %high.4, %low.5
  %value.14 = select <2 x i1> %outer.3, <2 x double> %v12, <2 x double> %v13
  %v15 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %value.14, <2 x double> %x.1)
  ret <2 x double> %v15
}

; size 31 0
define internal float @cogir_math_asinh_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_asinh_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 31 0
define internal double @cogir_math_asinh_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call double @llvm.fabs.f64(double %x.1)
  %large.3 = fcmp ogt double %a.2, 0x41CDCD6500000000
  %inner.4 = select i1 %large.3, double 0x3FF0000000000000, double %a.2
  %v5 = call { double, double } @cogir_two_product(double %inner.4, double %inner.4)
  %square.6 = extractvalue { double, double } %v5, 0
  %square_low.7 = extractvalue { double, double } %v5, 1
  %v8 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %square.6)
  %sum.9 = extractvalue { double, double } %v8, 0
  %sum_low.10 = extractvalue { double, double } %v8, 1
  %v11 = fadd double %sum_low.10, %square_low.7
  %v12 = call { double, double } @cogir_root_of_pair(double %sum.9, double %v11)
  %root.13 = extractvalue { double, double } %v12, 0
  %root_low.14 = extractvalue { double, double } %v12, 1
  %v15 = call { double, double } @cogir_fast_two_sum(double %root.13, double 0x3FF0000000000000)
  %below.16 = extractvalue { double, double } %v15, 0
  %below_low.17 = extractvalue { double, double } %v15, 1
  %v18 = fadd double %below_low.17, %root_low.14
  %v19 = call { double, double } @cogir_pair_quotient(double %square.6, double %square_low.7, double %below.16, double %v18)
  %q.20 = extractvalue { double, double } %v19, 0
  %q_low.21 = extractvalue { double, double } %v19, 1
  %v22 = call { double, double } @cogir_two_sum(double %inner.4, double %q.20)
  %t.23 = extractvalue { double, double } %v22, 0
  %t_low.24 = extractvalue { double, double } %v22, 1
  %v25 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %t.23)
  %u.26 = extractvalue { double, double } %v25, 0
  %u_low.27 = extractvalue { double, double } %v25, 1
  %v28 = fcmp olt double %a.2, 0x7FF0000000000000
  %finite.29 = select i1 %v28, double %a.2, double 0x3FF0000000000000
  %u.30 = select i1 %large.3, double %finite.29, double %u.26
  %v31 = fadd double %t_low.24, %q_low.21
  %v32 = fadd double %u_low.27, %v31
  %u_low.33 = select i1 %large.3, double 0x0000000000000000, double %v32
  %v34 = select i1 %large.3, double 0x3FF0000000000000, double 0x0000000000000000
  %value.35 = call double @cogir_log_sum(double %u.30, double %u_low.33, double %v34)
  %v36 = fcmp olt double %a.2, 0x7FF0000000000000
  %v37 = fcmp olt double %a.2, 0x3E20000000000000
  %v38 = select i1 %v37, double %a.2, double %value.35
  %v39 = select i1 %v36, double %v38, double %a.2
  %v40 = call double @llvm.copysign.f64(double %v39, double %x.1)
  ret double %v40
}

; size 31 0
define internal <2 x double> @cogir_math_asinh_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %large.3 = fcmp ogt <2 x double> %a.2, splat (double 0x41CDCD6500000000)
  %inner.4 = select <2 x i1> %large.3, <2 x double> splat (double 0x3FF0000000000000), <2 x double> %a.2
  %v5 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %inner.4, <2 x double> %inner.4)
  %square.6 = extractvalue { <2 x double>, <2 x double> } %v5, 0
  %square_low.7 = extractvalue { <2 x double>, <2 x double> } %v5, 1
  %v8 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %square.6)
  %sum.9 = extractvalue { <2 x double>, <2 x double> } %v8, 0
  %sum_low.10 = extractvalue { <2 x double>, <2 x double> } %v8, 1
  %v11 = fadd <2 x double> %sum_low.10, %square_low.7
  %v12 = call { <2 x double>, <2 x double> } @cogir_root_of_pair_v2(<2 x double> %sum.9, <2 x double> %v11)
  %root.13 = extractvalue { <2 x double>, <2 x double> } %v12, 0
  %root_low.14 = extractvalue { <2 x double>, <2 x double> } %v12, 1
  %v15 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %root.13, <2 x double> splat (double 0x3FF0000000000000))
  %below.16 = extractvalue { <2 x double>, <2 x double> } %v15, 0
  %below_low.17 = extractvalue { <2 x double>, <2 x double> } %v15, 1
  %v18 = fadd <2 x double> %below_low.17, %root_low.14
  %v19 = call { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> %square.6, <2 x double> %square_low.7, <2 x double> %below.16, <2 x double> %v18)
  %q.20 = extractvalue { <2 x double>, <2 x double> } %v19, 0
  %q_low.21 = extractvalue { <2 x double>, <2 x double> } %v19, 1
  %v22 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> %inner.4, <2 x double> %q.20)
  %t.23 = extractvalue { <2 x double>, <2 x double> } %v22, 0
  %t_low.24 = extractvalue { <2 x double>, <2 x double> } %v22, 1
  %v25 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %t.23)
  %u.26 = extractvalue { <2 x double>, <2 x double> } %v25, 0
  %u_low.27 = extractvalue { <2 x double>, <2 x double> } %v25, 1
  %v28 = fcmp olt <2 x double> %a.2, splat (double 0x7FF0000000000000)
  %finite.29 = select <2 x i1> %v28, <2 x double> %a.2, <2 x double> splat (double 0x3FF0000000000000)
  %u.30 = select <2 x i1> %large.3, <2 x double> %finite.29, <2 x double> %u.26
  %v31 = fadd <2 x double> %t_low.24, %q_low.21
  %v32 = fadd <2 x double> %u_low.27, %v31
  %u_low.33 = select <2 x i1> %large.3, <2 x double> zeroinitializer, <2 x double> %v32
  %v34 = select <2 x i1> %large.3, <2 x double> splat (double 0x3FF0000000000000), <2 x double> zeroinitializer
  %value.35 = call <2 x double> @cogir_log_sum_v2(<2 x double> %u.30, <2 x double> %u_low.33, <2 x double> %v34)
  %v36 = fcmp olt <2 x double> %a.2, splat (double 0x7FF0000000000000)
  %v37 = fcmp olt <2 x double> %a.2, splat (double 0x3E20000000000000)
  %v38 = select <2 x i1> %v37, <2 x double> %a.2, <2 x double> %value.35
  %v39 = select <2 x i1> %v36, <2 x double> %v38, <2 x double> %a.2
  %v40 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v39, <2 x double> %x.1)
  ret <2 x double> %v40
}

; size 57 0
define internal float @cogir_math_atan2_f32(float noundef %v1, float noundef %v2) nounwind alwaysinline {
b0:
  %v3 = fpext float %v1 to double
  %v4 = fpext float %v2 to double
  %v5 = call double @cogir_math_atan2_f64(double %v3, double %v4)
  %v6 = fptrunc double %v5 to float
  ret float %v6
}

; size 57 0
define internal double @cogir_math_atan2_f64(double noundef %y.1, double noundef %x.2) nounwind alwaysinline {
b0:
  %height.3 = call double @llvm.fabs.f64(double %y.1)
  %width.4 = call double @llvm.fabs.f64(double %x.2)
  %v5 = fcmp oeq double %height.3, 0x7FF0000000000000
  %v6 = fcmp oeq double %width.4, 0x7FF0000000000000
  %infinite.7 = or i1 %v5, %v6
  %v8 = fcmp oeq double %height.3, 0x7FF0000000000000
  %v9 = select i1 %v8, double 0x3FF0000000000000, double 0x0000000000000000
  %height.10 = select i1 %infinite.7, double %v9, double %height.3
  %v11 = fcmp oeq double %width.4, 0x7FF0000000000000
  %v12 = select i1 %v11, double 0x3FF0000000000000, double 0x0000000000000000
  %width.13 = select i1 %infinite.7, double %v12, double %width.4
  %steep.14 = fcmp ogt double %height.10, %width.13
  %longer.15 = select i1 %steep.14, double %height.10, double %width.13
  %shorter.16 = select i1 %steep.14, double %width.13, double %height.10
  %v17 = fcmp ogt double %longer.15, 0x7E37E43C8800759C
  %v18 = fcmp olt double %longer.15, 0x16687E92154EF7AC
  %v19 = select i1 %v18, double 0x43B0000000000000, double 0x3FF0000000000000
  %factor.20 = select i1 %v17, double 0x3C30000000000000, double %v19
  %longer.21 = fmul double %longer.15, %factor.20
  %shorter.22 = fmul double %shorter.16, %factor.20
  %v23 = fcmp oeq double %longer.21, 0x0000000000000000
  %v24 = select i1 %v23, double 0x3FF0000000000000, double %longer.21
  %v25 = call { double, double } @cogir_atan_fraction(double %shorter.22, double %v24)
  %high.26 = extractvalue { double, double } %v25, 0
  %low.27 = extractvalue { double, double } %v25, 1
  %v28 = bitcast double %x.2 to i64
  %left.29 = icmp slt i64 %v28, 0
  %v30 = select i1 %left.29, double 0x400921FB54442D18, double 0x0000000000000000
  %base.31 = select i1 %steep.14, double 0x3FF921FB54442D18, double %v30
  %v32 = select i1 %left.29, double 0x3CA1A62633145C07, double 0x0000000000000000
  %base_low.33 = select i1 %steep.14, double 0x3C91A62633145C07, double %v32
  %v34 = icmp ne i1 %steep.14, %left.29
  %sign.35 = select i1 %v34, double 0xBFF0000000000000, double 0x3FF0000000000000
  %v36 = fmul double %sign.35, %high.26
  %v37 = call { double, double } @cogir_fast_two_sum(double %base.31, double %v36)
  %top.38 = extractvalue { double, double } %v37, 0
  %top_low.39 = extractvalue { double, double } %v37, 1
  %v40 = fmul double %sign.35, %low.27
  %v41 = fadd double %base_low.33, %v40
  %v42 = fadd double %top_low.39, %v41
  %value.43 = fadd double %top.38, %v42
  %v44 = fcmp une double %x.2, %x.2
  %v45 = fcmp une double %y.1, %y.1
  %v46 = or i1 %v44, %v45
  %v47 = fadd double %x.2, %y.1
  %v48 = call double @llvm.copysign.f64(double %value.43, double %y.1)
  %v49 = select i1 %v46, double %v47, double %v48
  ret double %v49
}

; size 57 0
define internal <2 x double> @cogir_math_atan2_f64_v2(<2 x double> noundef %y.1, <2 x double> noundef %x.2) nounwind alwaysinline {
b0:
  %height.3 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %y.1)
  %width.4 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.2)
  %v5 = fcmp oeq <2 x double> %height.3, splat (double 0x7FF0000000000000)
  %v6 = fcmp oeq <2 x double> %width.4, splat (double 0x7FF0000000000000)
  %infinite.7 = or <2 x i1> %v5, %v6
  %v8 = fcmp oeq <2 x double> %height.3, splat (double 0x7FF0000000000000)
  %v9 = select <2 x i1> %v8, <2 x double> splat (double 0x3FF0000000000000), <2 x double> zeroinitializer
  %height.10 = select <2 x i1> %infinite.7, <2 x double> %v9, <2 x double> %height.3
  %v11 = fcmp oeq <2 x double> %width.4, splat (double 0x7FF0000000000000)
  %v12 = select <2 x i1> %v11, <2 x double> splat (double 0x3FF0000000000000), <2 x double> zeroinitializer
  %width.13 = select <2 x i1> %infinite.7, <2 x double> %v12, <2 x double> %width.4
  %steep.14 = fcmp ogt <2 x double> %height.10, %width.13
  %longer.15 = select <2 x i1> %steep.14, <2 x double> %height.10, <2 x double> %width.13
  %shorter.16 = select <2 x i1> %steep.14, <2 x double> %width.13, <2 x double> %height.10
  %v17 = fcmp ogt <2 x double> %longer.15, splat (double 0x7E37E43C8800759C)
  %v18 = fcmp olt <2 x double> %longer.15, splat (double 0x16687E92154EF7AC)
  %v19 = select <2 x i1> %v18, <2 x double> splat (double 0x43B0000000000000), <2 x double> splat (double 0x3FF0000000000000)
  %factor.20 = select <2 x i1> %v17, <2 x double> splat (double 0x3C30000000000000), <2 x double> %v19
  %longer.21 = fmul <2 x double> %longer.15, %factor.20
  %shorter.22 = fmul <2 x double> %shorter.16, %factor.20
  %v23 = fcmp oeq <2 x double> %longer.21, zeroinitializer
  %v24 = select <2 x i1> %v23, <2 x double> splat (double 0x3FF0000000000000), <2 x double> %longer.21
  %v25 = call { <2 x double>, <2 x double> } @cogir_atan_fraction_v2(<2 x double> %shorter.22, <2 x double> %v24)
  %high.26 = extractvalue { <2 x double>, <2 x double> } %v25, 0
  %low.27 = extractvalue { <2 x double>, <2 x double> } %v25, 1
  %v28 = bitcast <2 x double> %x.2 to <2 x i64>
  %left.29 = icmp slt <2 x i64> %v28, zeroinitializer
  %v30 = select <2 x i1> %left.29, <2 x double> splat (double 0x400921FB54442D18), <2 x double> zeroinitializer
  %base.31 = select <2 x i1> %steep.14, <2 x double> splat (double 0x3FF921FB54442D18), <2 x double> %v30
  %v32 = select <2 x i1> %left.29, <2 x double> splat (double 0x3CA1A62633145C07), <2 x double> zeroinitializer
  %base_low.33 = select <2 x i1> %steep.14, <2 x double> splat (double 0x3C91A62633145C07), <2 x double> %v32
  %v34 = icmp ne <2 x i1> %steep.14, %left.29
  %sign.35 = select <2 x i1> %v34, <2 x double> splat (double 0xBFF0000000000000), <2 x double> splat (double 0x3FF0000000000000)
  %v36 = fmul <2 x double> %sign.35, %high.26
  %v37 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %base.31, <2 x double> %v36)
  %top.38 = extractvalue { <2 x double>, <2 x double> } %v37, 0
  %top_low.39 = extractvalue { <2 x double>, <2 x double> } %v37, 1
  %v40 = fmul <2 x double> %sign.35, %low.27
  %v41 = fadd <2 x double> %base_low.33, %v40
  %v42 = fadd <2 x double> %top_low.39, %v41
  %value.43 = fadd <2 x double> %top.38, %v42
  %v44 = fcmp une <2 x double> %x.2, %x.2
  %v45 = fcmp une <2 x double> %y.1, %y.1
  %v46 = or <2 x i1> %v44, %v45
  %v47 = fadd <2 x double> %x.2, %y.1
  %v48 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %value.43, <2 x double> %y.1)
  %v49 = select <2 x i1> %v46, <2 x double> %v47, <2 x double> %v48
  ret <2 x double> %v49
}

; size 47 0
define internal float @cogir_math_atan_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_atan_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 47 0
define internal double @cogir_math_atan_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call double @llvm.fabs.f64(double %x.1)
  %v3 = fcmp ogt double %magnitude.2, 0x4415AF1D78B58C40
  %magnitude.4 = select i1 %v3, double 0x4415AF1D78B58C40, double %magnitude.2
  %steep.5 = fcmp ogt double %magnitude.4, 0x3FF0000000000000
  %v6 = select i1 %steep.5, double 0x3FF0000000000000, double %magnitude.4
  %v7 = select i1 %steep.5, double %magnitude.4, double 0x3FF0000000000000
  %v8 = call { double, double } @cogir_atan_fraction(double %v6, double %v7)
  %high.9 = extractvalue { double, double } %v8, 0
  %low.10 = extractvalue { double, double } %v8, 1
  %v11 = fneg double %high.9
  %v12 = call { double, double } @cogir_fast_two_sum(double 0x3FF921FB54442D18, double %v11)
  %top.13 = extractvalue { double, double } %v12, 0
  %top_low.14 = extractvalue { double, double } %v12, 1
  %v15 = fsub double 0x3C91A62633145C07, %low.10
  %v16 = fadd double %top_low.14, %v15
  %v17 = fadd double %top.13, %v16
  %v18 = fadd double %high.9, %low.10
  %v19 = select i1 %steep.5, double %v17, double %v18
  %v20 = call double @llvm.copysign.f64(double %v19, double %x.1)
  ret double %v20
}

; size 47 0
define internal <2 x double> @cogir_math_atan_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v3 = fcmp ogt <2 x double> %magnitude.2, splat (double 0x4415AF1D78B58C40)
  %magnitude.4 = select <2 x i1> %v3, <2 x double> splat (double 0x4415AF1D78B58C40), <2 x double> %magnitude.2
  %steep.5 = fcmp ogt <2 x double> %magnitude.4, splat (double 0x3FF0000000000000)
  %v6 = select <2 x i1> %steep.5, <2 x double> splat (double 0x3FF0000000000000), <2 x double> %magnitude.4
  %v7 = select <2 x i1> %steep.5, <2 x double> %magnitude.4, <2 x double> splat (double 0x3FF0000000000000)
  %v8 = call { <2 x double>, <2 x double> } @cogir_atan_fraction_v2(<2 x double> %v6, <2 x double> %v7)
  %high.9 = extractvalue { <2 x double>, <2 x double> } %v8, 0
  %low.10 = extractvalue { <2 x double>, <2 x double> } %v8, 1
  %v11 = fneg <2 x double> %high.9
  %v12 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF921FB54442D18), <2 x double> %v11)
  %top.13 = extractvalue { <2 x double>, <2 x double> } %v12, 0
  %top_low.14 = extractvalue { <2 x double>, <2 x double> } %v12, 1
  %v15 = fsub <2 x double> splat (double 0x3C91A62633145C07), %low.10
  %v16 = fadd <2 x double> %top_low.14, %v15
  %v17 = fadd <2 x double> %top.13, %v16
  %v18 = fadd <2 x double> %high.9, %low.10
  %v19 = select <2 x i1> %steep.5, <2 x double> %v17, <2 x double> %v18
  %v20 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v19, <2 x double> %x.1)
  ret <2 x double> %v20
}

; size 27 0
define internal float @cogir_math_atanh_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_atanh_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 27 0
define internal double @cogir_math_atanh_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call double @llvm.fabs.f64(double %x.1)
  %v3 = fcmp olt double %a.2, 0x3FF0000000000000
  %inner.4 = select i1 %v3, double %a.2, double 0x3FE0000000000000
  %v5 = fneg double %inner.4
  %v6 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %v5)
  %below.7 = extractvalue { double, double } %v6, 0
  %below_low.8 = extractvalue { double, double } %v6, 1
  %v9 = fadd double %inner.4, %inner.4
  %v10 = call { double, double } @cogir_pair_quotient(double %v9, double 0x0000000000000000, double %below.7, double %below_low.8)
  %t.11 = extractvalue { double, double } %v10, 0
  %t_low.12 = extractvalue { double, double } %v10, 1
  %v13 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %t.11)
  %u.14 = extractvalue { double, double } %v13, 0
  %u_low.15 = extractvalue { double, double } %v13, 1
  %v16 = fadd double %u_low.15, %t_low.12
  %v17 = call double @cogir_log_sum(double %u.14, double %v16, double 0x0000000000000000)
  %value.18 = fmul double 0x3FE0000000000000, %v17
  %v19 = fcmp olt double %a.2, 0x3FF0000000000000
  %v20 = fcmp oeq double %a.2, 0x3FF0000000000000
  %v21 = select i1 %v20, double 0x7FF0000000000000, double 0x7FF8000000000000
  %value.22 = select i1 %v19, double %value.18, double %v21
  %v23 = fcmp olt double %a.2, 0x3E20000000000000
  %v24 = select i1 %v23, double %a.2, double %value.22
  %v25 = call double @llvm.copysign.f64(double %v24, double %x.1)
  ret double %v25
}

; size 27 0
define internal <2 x double> @cogir_math_atanh_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v3 = fcmp olt <2 x double> %a.2, splat (double 0x3FF0000000000000)
  %inner.4 = select <2 x i1> %v3, <2 x double> %a.2, <2 x double> splat (double 0x3FE0000000000000)
  %v5 = fneg <2 x double> %inner.4
  %v6 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v5)
  %below.7 = extractvalue { <2 x double>, <2 x double> } %v6, 0
  %below_low.8 = extractvalue { <2 x double>, <2 x double> } %v6, 1
  %v9 = fadd <2 x double> %inner.4, %inner.4
  %v10 = call { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> %v9, <2 x double> zeroinitializer, <2 x double> %below.7, <2 x double> %below_low.8)
  %t.11 = extractvalue { <2 x double>, <2 x double> } %v10, 0
  %t_low.12 = extractvalue { <2 x double>, <2 x double> } %v10, 1
  %v13 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %t.11)
  %u.14 = extractvalue { <2 x double>, <2 x double> } %v13, 0
  %u_low.15 = extractvalue { <2 x double>, <2 x double> } %v13, 1
  %v16 = fadd <2 x double> %u_low.15, %t_low.12
  %v17 = call <2 x double> @cogir_log_sum_v2(<2 x double> %u.14, <2 x double> %v16, <2 x double> zeroinitializer)
  %value.18 = fmul <2 x double> splat (double 0x3FE0000000000000), %v17
  %v19 = fcmp olt <2 x double> %a.2, splat (double 0x3FF0000000000000)
  %v20 = fcmp oeq <2 x double> %a.2, splat (double 0x3FF0000000000000)
  %v21 = select <2 x i1> %v20, <2 x double> splat (double 0x7FF0000000000000), <2 x double> splat (double 0x7FF8000000000000)
  %value.22 = select <2 x i1> %v19, <2 x double> %value.18, <2 x double> %v21
  %v23 = fcmp olt <2 x double> %a.2, splat (double 0x3E20000000000000)
  %v24 = select <2 x i1> %v23, <2 x double> %a.2, <2 x double> %value.22
  %v25 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v24, <2 x double> %x.1)
  ret <2 x double> %v25
}

; size 55 0
define internal float @cogir_math_cbrt_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_cbrt_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 55 0
define internal double @cogir_math_cbrt_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call double @llvm.fabs.f64(double %x.1)
  %small.3 = fcmp olt double %magnitude.2, 0x0010000000000000
  %large.4 = fcmp ogt double %magnitude.2, 0x7E37E43C8800759C
  %v5 = select i1 %large.4, double 0x3C90000000000000, double 0x3FF0000000000000
  %v6 = select i1 %small.3, double 0x4350000000000000, double %v5
  %a.7 = fmul double %magnitude.2, %v6
  %v8 = bitcast double %a.7 to i64
  %v9 = zext i64 %v8 to i128
  %v10 = zext i64 6148914691236517206 to i128
  %v11 = mul i128 %v9, %v10
  %v12 = zext i64 64 to i128
  %v13 = lshr i128 %v11, %v12
  %v14 = trunc i128 %v11 to i64
  %v15 = trunc i128 %v13 to i64
  %v16 = add i64 %v15, 3071306045661749710
  %y.17 = bitcast i64 %v16 to double
  %v18 = fmul double %y.17, %y.17
  %cube.19 = fmul double %v18, %y.17
  %v20 = fadd double %a.7, %a.7
  %v21 = fadd double %cube.19, %v20
  %v22 = fadd double %cube.19, %cube.19
  %v23 = fadd double %v22, %a.7
  %v24 = fdiv double %v21, %v23
  %y.25 = fmul double %y.17, %v24
  %v26 = fmul double %y.25, %y.25
  %cube.27 = fmul double %v26, %y.25
  %v28 = fadd double %a.7, %a.7
  %v29 = fadd double %cube.27, %v28
  %v30 = fadd double %cube.27, %cube.27
  %v31 = fadd double %v30, %a.7
  %v32 = fdiv double %v29, %v31
  %y.33 = fmul double %y.25, %v32
  %v34 = call { double, double } @cogir_two_product(double %y.33, double %y.33)
  %square.35 = extractvalue { double, double } %v34, 0
  %square_low.36 = extractvalue { double, double } %v34, 1
  %v37 = fneg double %a.7
  %v38 = call double @llvm.fma.f64(double %square.35, double %y.33, double %v37)
  %v39 = fmul double %square_low.36, %y.33
  %residual.40 = fadd double %v38, %v39
  %v41 = fmul double 0x4008000000000000, %square.35
  %v42 = fdiv double %residual.40, %v41
  %y.43 = fsub double %y.33, %v42
  %v44 = select i1 %large.4, double 0x4110000000000000, double 0x3FF0000000000000
  %v45 = select i1 %small.3, double 0x3ED0000000000000, double %v44
  %y.46 = fmul double %y.43, %v45
  %v47 = fcmp oeq double %magnitude.2, 0x0000000000000000
  %v48 = fcmp oeq double %magnitude.2, 0x7FF0000000000000
  %v49 = or i1 %v47, %v48
  %y.50 = select i1 %v49, double %magnitude.2, double %y.46
  %v51 = call double @llvm.copysign.f64(double %y.50, double %x.1)
  ret double %v51
}

; size 55 0
define internal <2 x double> @cogir_math_cbrt_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %small.3 = fcmp olt <2 x double> %magnitude.2, splat (double 0x0010000000000000)
  %large.4 = fcmp ogt <2 x double> %magnitude.2, splat (double 0x7E37E43C8800759C)
  %v5 = select <2 x i1> %large.4, <2 x double> splat (double 0x3C90000000000000), <2 x double> splat (double 0x3FF0000000000000)
  %v6 = select <2 x i1> %small.3, <2 x double> splat (double 0x4350000000000000), <2 x double> %v5
  %a.7 = fmul <2 x double> %magnitude.2, %v6
  %v8 = bitcast <2 x double> %a.7 to <2 x i64>
  %v9 = zext <2 x i64> %v8 to <2 x i128>
  %v10 = zext <2 x i64> splat (i64 6148914691236517206) to <2 x i128>
  %v11 = mul <2 x i128> %v9, %v10
  %v12 = zext <2 x i64> splat (i64 64) to <2 x i128>
  %v13 = lshr <2 x i128> %v11, %v12
  %v14 = trunc <2 x i128> %v11 to <2 x i64>
  %v15 = trunc <2 x i128> %v13 to <2 x i64>
  %v16 = add <2 x i64> %v15, splat (i64 3071306045661749710)
  %y.17 = bitcast <2 x i64> %v16 to <2 x double>
  %v18 = fmul <2 x double> %y.17, %y.17
  %cube.19 = fmul <2 x double> %v18, %y.17
  %v20 = fadd <2 x double> %a.7, %a.7
  %v21 = fadd <2 x double> %cube.19, %v20
  %v22 = fadd <2 x double> %cube.19, %cube.19
  %v23 = fadd <2 x double> %v22, %a.7
  %v24 = fdiv <2 x double> %v21, %v23
  %y.25 = fmul <2 x double> %y.17, %v24
  %v26 = fmul <2 x double> %y.25, %y.25
  %cube.27 = fmul <2 x double> %v26, %y.25
  %v28 = fadd <2 x double> %a.7, %a.7
  %v29 = fadd <2 x double> %cube.27, %v28
  %v30 = fadd <2 x double> %cube.27, %cube.27
  %v31 = fadd <2 x double> %v30, %a.7
  %v32 = fdiv <2 x double> %v29, %v31
  %y.33 = fmul <2 x double> %y.25, %v32
  %v34 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %y.33, <2 x double> %y.33)
  %square.35 = extractvalue { <2 x double>, <2 x double> } %v34, 0
  %square_low.36 = extractvalue { <2 x double>, <2 x double> } %v34, 1
  %v37 = fneg <2 x double> %a.7
  %v38 = call <2 x double> @llvm.fma.v2f64(<2 x double> %square.35, <2 x double> %y.33, <2 x double> %v37)
  %v39 = fmul <2 x double> %square_low.36, %y.33
  %residual.40 = fadd <2 x double> %v38, %v39
  %v41 = fmul <2 x double> splat (double 0x4008000000000000), %square.35
  %v42 = fdiv <2 x double> %residual.40, %v41
  %y.43 = fsub <2 x double> %y.33, %v42
  %v44 = select <2 x i1> %large.4, <2 x double> splat (double 0x4110000000000000), <2 x double> splat (double 0x3FF0000000000000)
  %v45 = select <2 x i1> %small.3, <2 x double> splat (double 0x3ED0000000000000), <2 x double> %v44
  %y.46 = fmul <2 x double> %y.43, %v45
  %v47 = fcmp oeq <2 x double> %magnitude.2, zeroinitializer
  %v48 = fcmp oeq <2 x double> %magnitude.2, splat (double 0x7FF0000000000000)
  %v49 = or <2 x i1> %v47, %v48
  %y.50 = select <2 x i1> %v49, <2 x double> %magnitude.2, <2 x double> %y.46
  %v51 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %y.50, <2 x double> %x.1)
  ret <2 x double> %v51
}

; size 90 6
define internal float @cogir_math_cos_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_cos_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 90 6
define internal double @cogir_math_cos_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { i64, double, double } @cogir_reduce_quadrant(double %x.1)
  %q.3 = extractvalue { i64, double, double } %v2, 0
  %r.4 = extractvalue { i64, double, double } %v2, 1
  %r_low.5 = extractvalue { i64, double, double } %v2, 2
  %v6 = call { double, double } @cogir_sin_reduced(double %r.4, double %r_low.5)
  %sine.7 = extractvalue { double, double } %v6, 0
  %sine_low.8 = extractvalue { double, double } %v6, 1
  %v9 = call { double, double } @cogir_cos_reduced(double %r.4, double %r_low.5)
  %cosine.10 = extractvalue { double, double } %v9, 0
  %cosine_low.11 = extractvalue { double, double } %v9, 1
  %v12 = add i64 %q.3, 1
  %v13 = fadd double %sine.7, %sine_low.8
  %v14 = fadd double %cosine.10, %cosine_low.11
  %value.15 = call double @cogir_quadrant_value(i64 %v12, double %v13, double %v14)
  %v16 = call double @llvm.fabs.f64(double %x.1)
  %v17 = fcmp olt double %v16, 0x7FF0000000000000
  %v18 = fsub double %x.1, %x.1
  %v19 = select i1 %v17, double %value.15, double %v18
  ret double %v19
}

; size 32 0
define internal float @cogir_math_cosh_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_cosh_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 32 0
define internal double @cogir_math_cosh_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { i64, double, double, double, double, double, double } @cogir_hyperbolic_parts(double %x.1)
  %k.3 = extractvalue { i64, double, double, double, double, double, double } %v2, 0
  %one.4 = extractvalue { i64, double, double, double, double, double, double } %v2, 1
  %one_low.5 = extractvalue { i64, double, double, double, double, double, double } %v2, 2
  %grown.6 = extractvalue { i64, double, double, double, double, double, double } %v2, 3
  %grown_low.7 = extractvalue { i64, double, double, double, double, double, double } %v2, 4
  %shrunk.8 = extractvalue { i64, double, double, double, double, double, double } %v2, 5
  %shrunk_low.9 = extractvalue { i64, double, double, double, double, double, double } %v2, 6
  %v10 = fsub double 0x3FF0000000000000, %one.4
  %v11 = fsub double %v10, %one_low.5
  %v12 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %v11)
  %other.13 = extractvalue { double, double } %v12, 0
  %other_low.14 = extractvalue { double, double } %v12, 1
  %v15 = call { double, double } @cogir_fast_two_sum(double %other.13, double %grown.6)
  %high.16 = extractvalue { double, double } %v15, 0
  %low.17 = extractvalue { double, double } %v15, 1
  %v18 = fneg double %shrunk.8
  %v19 = call { double, double } @cogir_fast_two_sum(double %high.16, double %v18)
  %high.20 = extractvalue { double, double } %v19, 0
  %shift.21 = extractvalue { double, double } %v19, 1
  %v22 = fsub double %grown_low.7, %shrunk_low.9
  %v23 = fadd double %other_low.14, %v22
  %v24 = fadd double %low.17, %v23
  %v25 = fadd double %shift.21, %v24
  %value.26 = fadd double %high.20, %v25
  %v27 = sub i64 %k.3, 1
  %v28 = call double @cogir_scale(double %value.26, i64 %v27)
  ret double %v28
}

; size 32 0
define internal <2 x double> @cogir_math_cosh_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } @cogir_hyperbolic_parts_v2(<2 x double> %x.1)
  %k.3 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 0
  %one.4 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 1
  %one_low.5 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 2
  %grown.6 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 3
  %grown_low.7 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 4
  %shrunk.8 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 5
  %shrunk_low.9 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 6
  %v10 = fsub <2 x double> splat (double 0x3FF0000000000000), %one.4
  %v11 = fsub <2 x double> %v10, %one_low.5
  %v12 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v11)
  %other.13 = extractvalue { <2 x double>, <2 x double> } %v12, 0
  %other_low.14 = extractvalue { <2 x double>, <2 x double> } %v12, 1
  %v15 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %other.13, <2 x double> %grown.6)
  %high.16 = extractvalue { <2 x double>, <2 x double> } %v15, 0
  %low.17 = extractvalue { <2 x double>, <2 x double> } %v15, 1
  %v18 = fneg <2 x double> %shrunk.8
  %v19 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %high.16, <2 x double> %v18)
  %high.20 = extractvalue { <2 x double>, <2 x double> } %v19, 0
  %shift.21 = extractvalue { <2 x double>, <2 x double> } %v19, 1
  %v22 = fsub <2 x double> %grown_low.7, %shrunk_low.9
  %v23 = fadd <2 x double> %other_low.14, %v22
  %v24 = fadd <2 x double> %low.17, %v23
  %v25 = fadd <2 x double> %shift.21, %v24
  %value.26 = fadd <2 x double> %high.20, %v25
  %v27 = sub <2 x i64> %k.3, splat (i64 1)
  %v28 = call <2 x double> @cogir_scale_v2(<2 x double> %value.26, <2 x i64> %v27)
  ret <2 x double> %v28
}

; size 70 0
define internal float @cogir_math_erf_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_erf_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 70 0
define internal double @cogir_math_erf_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call double @llvm.fabs.f64(double %x.1)
  %v3 = fcmp ogt double %a.2, 0x3FE0000000000000
  %v4 = select i1 %v3, double 0x3FE0000000000000, double %a.2
  %v5 = call { double, double } @cogir_erf_inner(double %v4)
  %high.6 = extractvalue { double, double } %v5, 0
  %low.7 = extractvalue { double, double } %v5, 1
  %v8 = fcmp ogt double %a.2, 0x3FE0000000000000
  %v9 = call double @cogir_erfc_outer(double %a.2)
  %v10 = fsub double 0x3FF0000000000000, %v9
  %v11 = fadd double %high.6, %low.7
  %v12 = select i1 %v8, double %v10, double %v11
  %v13 = call double @llvm.copysign.f64(double %v12, double %x.1)
  ret double %v13
}

; size 70 0
define internal <2 x double> @cogir_math_erf_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v3 = fcmp ogt <2 x double> %a.2, splat (double 0x3FE0000000000000)
  %v4 = select <2 x i1> %v3, <2 x double> splat (double 0x3FE0000000000000), <2 x double> %a.2
  %v5 = call { <2 x double>, <2 x double> } @cogir_erf_inner_v2(<2 x double> %v4)
  %high.6 = extractvalue { <2 x double>, <2 x double> } %v5, 0
  %low.7 = extractvalue { <2 x double>, <2 x double> } %v5, 1
  %v8 = fcmp ogt <2 x double> %a.2, splat (double 0x3FE0000000000000)
  %v9 = call <2 x double> @cogir_erfc_outer_v2(<2 x double> %a.2)
  %v10 = fsub <2 x double> splat (double 0x3FF0000000000000), %v9
  %v11 = fadd <2 x double> %high.6, %low.7
  %v12 = select <2 x i1> %v8, <2 x double> %v10, <2 x double> %v11
  %v13 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v12, <2 x double> %x.1)
  ret <2 x double> %v13
}

; size 70 0
define internal float @cogir_math_erfc_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_erfc_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 70 0
define internal double @cogir_math_erfc_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call double @llvm.fabs.f64(double %x.1)
  %v3 = fcmp ogt double %a.2, 0x3FE0000000000000
  %v4 = select i1 %v3, double 0x3FE0000000000000, double %a.2
  %v5 = call { double, double } @cogir_erf_inner(double %v4)
  %inner.6 = extractvalue { double, double } %v5, 0
  %inner_low.7 = extractvalue { double, double } %v5, 1
  %sign.8 = call double @llvm.copysign.f64(double 0x3FF0000000000000, double %x.1)
  %v9 = fneg double %sign.8
  %v10 = fmul double %v9, %inner.6
  %v11 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %v10)
  %head.12 = extractvalue { double, double } %v11, 0
  %head_low.13 = extractvalue { double, double } %v11, 1
  %outer.14 = call double @cogir_erfc_outer(double %a.2)
  %v15 = fcmp ogt double %a.2, 0x3FE0000000000000
  %v16 = fcmp olt double %x.1, 0x0000000000000000
  %v17 = fsub double 0x4000000000000000, %outer.14
  %v18 = select i1 %v16, double %v17, double %outer.14
  %v19 = fmul double %sign.8, %inner_low.7
  %v20 = fsub double %head_low.13, %v19
  %v21 = fadd double %head.12, %v20
  %v22 = select i1 %v15, double %v18, double %v21
  ret double %v22
}

; size 70 0
define internal <2 x double> @cogir_math_erfc_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %a.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v3 = fcmp ogt <2 x double> %a.2, splat (double 0x3FE0000000000000)
  %v4 = select <2 x i1> %v3, <2 x double> splat (double 0x3FE0000000000000), <2 x double> %a.2
  %v5 = call { <2 x double>, <2 x double> } @cogir_erf_inner_v2(<2 x double> %v4)
  %inner.6 = extractvalue { <2 x double>, <2 x double> } %v5, 0
  %inner_low.7 = extractvalue { <2 x double>, <2 x double> } %v5, 1
  %sign.8 = call <2 x double> @llvm.copysign.v2f64(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %x.1)
  %v9 = fneg <2 x double> %sign.8
  %v10 = fmul <2 x double> %v9, %inner.6
  %v11 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v10)
  %head.12 = extractvalue { <2 x double>, <2 x double> } %v11, 0
  %head_low.13 = extractvalue { <2 x double>, <2 x double> } %v11, 1
  %outer.14 = call <2 x double> @cogir_erfc_outer_v2(<2 x double> %a.2)
  %v15 = fcmp ogt <2 x double> %a.2, splat (double 0x3FE0000000000000)
  %v16 = fcmp olt <2 x double> %x.1, zeroinitializer
  %v17 = fsub <2 x double> splat (double 0x4000000000000000), %outer.14
  %v18 = select <2 x i1> %v16, <2 x double> %v17, <2 x double> %outer.14
  %v19 = fmul <2 x double> %sign.8, %inner_low.7
  %v20 = fsub <2 x double> %head_low.13, %v19
  %v21 = fadd <2 x double> %head.12, %v20
  %v22 = select <2 x i1> %v15, <2 x double> %v18, <2 x double> %v21
  ret <2 x double> %v22
}

; size 19 0
define internal float @cogir_math_exp2_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_exp2_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 19 0
define internal double @cogir_math_exp2_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt double %x.1, 0x4090040000000000
  %x.3 = select i1 %v2, double 0x4090040000000000, double %x.1
  %v4 = fcmp olt double %x.3, 0xC090D00000000000
  %x.5 = select i1 %v4, double 0xC090D00000000000, double %x.3
  %v6 = call { double, i64 } @cogir_round_to_integer(double %x.5)
  %whole.7 = extractvalue { double, i64 } %v6, 0
  %k.8 = extractvalue { double, i64 } %v6, 1
  %v9 = fsub double %x.5, %whole.7
  %v10 = call { double, double } @cogir_two_product(double %v9, double 0x3FE62E42FEFA39EF)
  %r.11 = extractvalue { double, double } %v10, 0
  %r_low.12 = extractvalue { double, double } %v10, 1
  %v13 = fsub double %x.5, %whole.7
  %v14 = call double @llvm.fma.f64(double %v13, double 0x3C7ABC9E3B39803F, double %r_low.12)
  %v15 = call double @cogir_exp_reduced(double %r.11, double %v14)
  %v16 = call double @cogir_scale(double %v15, i64 %k.8)
  ret double %v16
}

; size 19 0
define internal <2 x double> @cogir_math_exp2_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt <2 x double> %x.1, splat (double 0x4090040000000000)
  %x.3 = select <2 x i1> %v2, <2 x double> splat (double 0x4090040000000000), <2 x double> %x.1
  %v4 = fcmp olt <2 x double> %x.3, splat (double 0xC090D00000000000)
  %x.5 = select <2 x i1> %v4, <2 x double> splat (double 0xC090D00000000000), <2 x double> %x.3
  %v6 = call { <2 x double>, <2 x i64> } @cogir_round_to_integer_v2(<2 x double> %x.5)
  %whole.7 = extractvalue { <2 x double>, <2 x i64> } %v6, 0
  %k.8 = extractvalue { <2 x double>, <2 x i64> } %v6, 1
  %v9 = fsub <2 x double> %x.5, %whole.7
  %v10 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %v9, <2 x double> splat (double 0x3FE62E42FEFA39EF))
  %r.11 = extractvalue { <2 x double>, <2 x double> } %v10, 0
  %r_low.12 = extractvalue { <2 x double>, <2 x double> } %v10, 1
  %v13 = fsub <2 x double> %x.5, %whole.7
  %v14 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v13, <2 x double> splat (double 0x3C7ABC9E3B39803F), <2 x double> %r_low.12)
  %v15 = call <2 x double> @cogir_exp_reduced_v2(<2 x double> %r.11, <2 x double> %v14)
  %v16 = call <2 x double> @cogir_scale_v2(<2 x double> %v15, <2 x i64> %k.8)
  ret <2 x double> %v16
}

; size 19 0
define internal float @cogir_math_exp_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_exp_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 19 0
define internal double @cogir_math_exp_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt double %x.1, 0x4086300000000000
  %x.3 = select i1 %v2, double 0x4086300000000000, double %x.1
  %v4 = fcmp olt double %x.3, 0xC087500000000000
  %x.5 = select i1 %v4, double 0xC087500000000000, double %x.3
  %v6 = call { i64, double, double } @cogir_reduce_exp(double %x.5)
  %k.7 = extractvalue { i64, double, double } %v6, 0
  %r.8 = extractvalue { i64, double, double } %v6, 1
  %r_low.9 = extractvalue { i64, double, double } %v6, 2
  %v10 = call double @cogir_exp_reduced(double %r.8, double %r_low.9)
  %v11 = call double @cogir_scale(double %v10, i64 %k.7)
  ret double %v11
}

; size 19 0
define internal <2 x double> @cogir_math_exp_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt <2 x double> %x.1, splat (double 0x4086300000000000)
  %x.3 = select <2 x i1> %v2, <2 x double> splat (double 0x4086300000000000), <2 x double> %x.1
  %v4 = fcmp olt <2 x double> %x.3, splat (double 0xC087500000000000)
  %x.5 = select <2 x i1> %v4, <2 x double> splat (double 0xC087500000000000), <2 x double> %x.3
  %v6 = call { <2 x i64>, <2 x double>, <2 x double> } @cogir_reduce_exp_v2(<2 x double> %x.5)
  %k.7 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 0
  %r.8 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 1
  %r_low.9 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 2
  %v10 = call <2 x double> @cogir_exp_reduced_v2(<2 x double> %r.8, <2 x double> %r_low.9)
  %v11 = call <2 x double> @cogir_scale_v2(<2 x double> %v10, <2 x i64> %k.7)
  ret <2 x double> %v11
}

; size 42 0
define internal float @cogir_math_exp_fast_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_exp_fast_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 42 0
define internal double @cogir_math_exp_fast_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt double %x.1, 0x4086300000000000
  %x.3 = select i1 %v2, double 0x4086300000000000, double %x.1
  %v4 = fcmp olt double %x.3, 0xC087500000000000
  %x.5 = select i1 %v4, double 0xC087500000000000, double %x.3
  %shifted.6 = call double @llvm.fma.f64(double %x.5, double 0x3FF71547652B82FE, double 0x4338000000000000)
  %whole.7 = fsub double %shifted.6, 0x4338000000000000
  %v8 = call double @llvm.fma.f64(double %whole.7, double 0xBFE62E42FEFA3800, double %x.5)
  %r.9 = call double @llvm.fma.f64(double %whole.7, double 0xBD2EF35793C76730, double %v8)
  %r2.10 = fmul double %r.9, %r.9
  %even.11 = call double @llvm.fma.f64(double 0x3E9289185613A3D6, double %r2.10, double 0x3EFA019B90D2AE7A)
  %v12 = call double @llvm.fma.f64(double %even.11, double %r2.10, double 0x3F56C16C1788BD90)
  %v13 = call double @llvm.fma.f64(double %v12, double %r2.10, double 0x3FA5555555553D63)
  %even.14 = call double @llvm.fma.f64(double %v13, double %r2.10, double 0x3FE0000000000001)
  %odd.15 = call double @llvm.fma.f64(double 0x3E5AF38A9B0EC855, double %r2.10, double 0x3EC71DE0DAE63BB3)
  %v16 = call double @llvm.fma.f64(double %odd.15, double %r2.10, double 0x3F2A01A01A7C41D5)
  %v17 = call double @llvm.fma.f64(double %v16, double %r2.10, double 0x3F811111111109B3)
  %odd.18 = call double @llvm.fma.f64(double %v17, double %r2.10, double 0x3FC5555555555556)
  %v19 = call double @llvm.fma.f64(double %odd.18, double %r.9, double %even.14)
  %v20 = call double @llvm.fma.f64(double %r2.10, double %v19, double %r.9)
  %v21 = fadd double 0x3FF0000000000000, %v20
  %v22 = bitcast double %shifted.6 to i64
  %v23 = sub i64 %v22, 4843621399236968448
  %v24 = call double @cogir_scale(double %v21, i64 %v23)
  ret double %v24
}

; size 42 0
define internal <2 x double> @cogir_math_exp_fast_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt <2 x double> %x.1, splat (double 0x4086300000000000)
  %x.3 = select <2 x i1> %v2, <2 x double> splat (double 0x4086300000000000), <2 x double> %x.1
  %v4 = fcmp olt <2 x double> %x.3, splat (double 0xC087500000000000)
  %x.5 = select <2 x i1> %v4, <2 x double> splat (double 0xC087500000000000), <2 x double> %x.3
  %shifted.6 = call <2 x double> @llvm.fma.v2f64(<2 x double> %x.5, <2 x double> splat (double 0x3FF71547652B82FE), <2 x double> splat (double 0x4338000000000000))
  %whole.7 = fsub <2 x double> %shifted.6, splat (double 0x4338000000000000)
  %v8 = call <2 x double> @llvm.fma.v2f64(<2 x double> %whole.7, <2 x double> splat (double 0xBFE62E42FEFA3800), <2 x double> %x.5)
  %r.9 = call <2 x double> @llvm.fma.v2f64(<2 x double> %whole.7, <2 x double> splat (double 0xBD2EF35793C76730), <2 x double> %v8)
  %r2.10 = fmul <2 x double> %r.9, %r.9
  %even.11 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3E9289185613A3D6), <2 x double> %r2.10, <2 x double> splat (double 0x3EFA019B90D2AE7A))
  %v12 = call <2 x double> @llvm.fma.v2f64(<2 x double> %even.11, <2 x double> %r2.10, <2 x double> splat (double 0x3F56C16C1788BD90))
  %v13 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v12, <2 x double> %r2.10, <2 x double> splat (double 0x3FA5555555553D63))
  %even.14 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v13, <2 x double> %r2.10, <2 x double> splat (double 0x3FE0000000000001))
  %odd.15 = call <2 x double> @llvm.fma.v2f64(<2 x double> splat (double 0x3E5AF38A9B0EC855), <2 x double> %r2.10, <2 x double> splat (double 0x3EC71DE0DAE63BB3))
  %v16 = call <2 x double> @llvm.fma.v2f64(<2 x double> %odd.15, <2 x double> %r2.10, <2 x double> splat (double 0x3F2A01A01A7C41D5))
  %v17 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v16, <2 x double> %r2.10, <2 x double> splat (double 0x3F811111111109B3))
  %odd.18 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v17, <2 x double> %r2.10, <2 x double> splat (double 0x3FC5555555555556))
  %v19 = call <2 x double> @llvm.fma.v2f64(<2 x double> %odd.18, <2 x double> %r.9, <2 x double> %even.14)
  %v20 = call <2 x double> @llvm.fma.v2f64(<2 x double> %r2.10, <2 x double> %v19, <2 x double> %r.9)
  %v21 = fadd <2 x double> splat (double 0x3FF0000000000000), %v20
  %v22 = bitcast <2 x double> %shifted.6 to <2 x i64>
  %v23 = sub <2 x i64> %v22, splat (i64 4843621399236968448)
  %v24 = call <2 x double> @cogir_scale_v2(<2 x double> %v21, <2 x i64> %v23)
  ret <2 x double> %v24
}

; size 24 0
define internal float @cogir_math_expm1_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_expm1_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 24 0
define internal double @cogir_math_expm1_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt double %x.1, 0x4086300000000000
  %clamped.3 = select i1 %v2, double 0x4086300000000000, double %x.1
  %v4 = fcmp olt double %clamped.3, 0xC046800000000000
  %clamped.5 = select i1 %v4, double 0xC046800000000000, double %clamped.3
  %v6 = call { i64, double, double } @cogir_reduce_exp(double %clamped.5)
  %k.7 = extractvalue { i64, double, double } %v6, 0
  %r.8 = extractvalue { i64, double, double } %v6, 1
  %r_low.9 = extractvalue { i64, double, double } %v6, 2
  %v10 = call { double, double } @cogir_expm1_reduced(double %r.8, double %r_low.9)
  %head.11 = extractvalue { double, double } %v10, 0
  %rest.12 = extractvalue { double, double } %v10, 1
  %v13 = icmp sgt i64 %k.7, 60
  %v14 = select i1 %v13, i64 60, i64 %k.7
  %v15 = sub i64 0, %v14
  %v16 = call double @cogir_power_of_two(i64 %v15)
  %v17 = fneg double %v16
  %v18 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %v17)
  %one.19 = extractvalue { double, double } %v18, 0
  %one_low.20 = extractvalue { double, double } %v18, 1
  %v21 = call { double, double } @cogir_fast_two_sum(double %one.19, double %head.11)
  %high.22 = extractvalue { double, double } %v21, 0
  %low.23 = extractvalue { double, double } %v21, 1
  %v24 = fadd double %one_low.20, %rest.12
  %v25 = fadd double %low.23, %v24
  %v26 = fadd double %high.22, %v25
  %v27 = call double @cogir_scale(double %v26, i64 %k.7)
  %v28 = call double @llvm.copysign.f64(double %v27, double %x.1)
  ret double %v28
}

; size 24 0
define internal <2 x double> @cogir_math_expm1_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp ogt <2 x double> %x.1, splat (double 0x4086300000000000)
  %clamped.3 = select <2 x i1> %v2, <2 x double> splat (double 0x4086300000000000), <2 x double> %x.1
  %v4 = fcmp olt <2 x double> %clamped.3, splat (double 0xC046800000000000)
  %clamped.5 = select <2 x i1> %v4, <2 x double> splat (double 0xC046800000000000), <2 x double> %clamped.3
  %v6 = call { <2 x i64>, <2 x double>, <2 x double> } @cogir_reduce_exp_v2(<2 x double> %clamped.5)
  %k.7 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 0
  %r.8 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 1
  %r_low.9 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 2
  %v10 = call { <2 x double>, <2 x double> } @cogir_expm1_reduced_v2(<2 x double> %r.8, <2 x double> %r_low.9)
  %head.11 = extractvalue { <2 x double>, <2 x double> } %v10, 0
  %rest.12 = extractvalue { <2 x double>, <2 x double> } %v10, 1
  %v13 = icmp sgt <2 x i64> %k.7, splat (i64 60)
  %v14 = select <2 x i1> %v13, <2 x i64> splat (i64 60), <2 x i64> %k.7
  %v15 = sub <2 x i64> zeroinitializer, %v14
  %v16 = call <2 x double> @cogir_power_of_two_v2(<2 x i64> %v15)
  %v17 = fneg <2 x double> %v16
  %v18 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v17)
  %one.19 = extractvalue { <2 x double>, <2 x double> } %v18, 0
  %one_low.20 = extractvalue { <2 x double>, <2 x double> } %v18, 1
  %v21 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %one.19, <2 x double> %head.11)
  %high.22 = extractvalue { <2 x double>, <2 x double> } %v21, 0
  %low.23 = extractvalue { <2 x double>, <2 x double> } %v21, 1
  %v24 = fadd <2 x double> %one_low.20, %rest.12
  %v25 = fadd <2 x double> %low.23, %v24
  %v26 = fadd <2 x double> %high.22, %v25
  %v27 = call <2 x double> @cogir_scale_v2(<2 x double> %v26, <2 x i64> %k.7)
  %v28 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v27, <2 x double> %x.1)
  ret <2 x double> %v28
}

; size 27 0
define internal float @cogir_math_log10_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_log10_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 27 0
define internal double @cogir_math_log10_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { double, double } @cogir_split(double %x.1)
  %k.3 = extractvalue { double, double } %v2, 0
  %m.4 = extractvalue { double, double } %v2, 1
  %v5 = fsub double %m.4, 0x3FF0000000000000
  %v6 = call { double, double } @cogir_log_fraction(double %v5)
  %head.7 = extractvalue { double, double } %v6, 0
  %rest.8 = extractvalue { double, double } %v6, 1
  %v9 = call { double, double } @cogir_pair_product(double %head.7, double %rest.8, double 0x3FDBCB7B1526E50E, double 0x3C695355BAAAFAD3)
  %scaled.10 = extractvalue { double, double } %v9, 0
  %scaled_low.11 = extractvalue { double, double } %v9, 1
  %v12 = fmul double %k.3, 0x3FD34413509F7000
  %v13 = call { double, double } @cogir_fast_two_sum(double %v12, double %scaled.10)
  %high.14 = extractvalue { double, double } %v13, 0
  %low.15 = extractvalue { double, double } %v13, 1
  %v16 = call double @llvm.fma.f64(double %k.3, double 0x3D43FDE623E2566B, double %scaled_low.11)
  %v17 = fadd double %low.15, %v16
  %v18 = fadd double %high.14, %v17
  %v19 = call double @cogir_at_the_edges(double %x.1, double %v18)
  ret double %v19
}

; size 27 0
define internal <2 x double> @cogir_math_log10_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x double>, <2 x double> } @cogir_split_v2(<2 x double> %x.1)
  %k.3 = extractvalue { <2 x double>, <2 x double> } %v2, 0
  %m.4 = extractvalue { <2 x double>, <2 x double> } %v2, 1
  %v5 = fsub <2 x double> %m.4, splat (double 0x3FF0000000000000)
  %v6 = call { <2 x double>, <2 x double> } @cogir_log_fraction_v2(<2 x double> %v5)
  %head.7 = extractvalue { <2 x double>, <2 x double> } %v6, 0
  %rest.8 = extractvalue { <2 x double>, <2 x double> } %v6, 1
  %v9 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %head.7, <2 x double> %rest.8, <2 x double> splat (double 0x3FDBCB7B1526E50E), <2 x double> splat (double 0x3C695355BAAAFAD3))
  %scaled.10 = extractvalue { <2 x double>, <2 x double> } %v9, 0
  %scaled_low.11 = extractvalue { <2 x double>, <2 x double> } %v9, 1
  %v12 = fmul <2 x double> %k.3, splat (double 0x3FD34413509F7000)
  %v13 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %v12, <2 x double> %scaled.10)
  %high.14 = extractvalue { <2 x double>, <2 x double> } %v13, 0
  %low.15 = extractvalue { <2 x double>, <2 x double> } %v13, 1
  %v16 = call <2 x double> @llvm.fma.v2f64(<2 x double> %k.3, <2 x double> splat (double 0x3D43FDE623E2566B), <2 x double> %scaled_low.11)
  %v17 = fadd <2 x double> %low.15, %v16
  %v18 = fadd <2 x double> %high.14, %v17
  %v19 = call <2 x double> @cogir_at_the_edges_v2(<2 x double> %x.1, <2 x double> %v18)
  ret <2 x double> %v19
}

; size 27 0
define internal float @cogir_math_log1p_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_log1p_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 27 0
define internal double @cogir_math_log1p_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp olt double %x.1, 0x7FF0000000000000
  %v3 = fcmp ogt double %x.1, 0xBFF0000000000000
  %inside.4 = and i1 %v2, %v3
  %v5 = select i1 %inside.4, double %x.1, double 0x0000000000000000
  %v6 = call { double, double } @cogir_two_sum(double 0x3FF0000000000000, double %v5)
  %u.7 = extractvalue { double, double } %v6, 0
  %u_low.8 = extractvalue { double, double } %v6, 1
  %v9 = fadd double 0x3FF0000000000000, %x.1
  %v10 = call double @cogir_log_sum(double %u.7, double %u_low.8, double 0x0000000000000000)
  %v11 = call double @cogir_at_the_edges(double %v9, double %v10)
  %v12 = call double @llvm.copysign.f64(double %v11, double %x.1)
  ret double %v12
}

; size 27 0
define internal <2 x double> @cogir_math_log1p_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fcmp olt <2 x double> %x.1, splat (double 0x7FF0000000000000)
  %v3 = fcmp ogt <2 x double> %x.1, splat (double 0xBFF0000000000000)
  %inside.4 = and <2 x i1> %v2, %v3
  %v5 = select <2 x i1> %inside.4, <2 x double> %x.1, <2 x double> zeroinitializer
  %v6 = call { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v5)
  %u.7 = extractvalue { <2 x double>, <2 x double> } %v6, 0
  %u_low.8 = extractvalue { <2 x double>, <2 x double> } %v6, 1
  %v9 = fadd <2 x double> splat (double 0x3FF0000000000000), %x.1
  %v10 = call <2 x double> @cogir_log_sum_v2(<2 x double> %u.7, <2 x double> %u_low.8, <2 x double> zeroinitializer)
  %v11 = call <2 x double> @cogir_at_the_edges_v2(<2 x double> %v9, <2 x double> %v10)
  %v12 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v11, <2 x double> %x.1)
  ret <2 x double> %v12
}

; size 27 0
define internal float @cogir_math_log2_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_log2_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 27 0
define internal double @cogir_math_log2_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { double, double } @cogir_split(double %x.1)
  %k.3 = extractvalue { double, double } %v2, 0
  %m.4 = extractvalue { double, double } %v2, 1
  %v5 = fsub double %m.4, 0x3FF0000000000000
  %v6 = call { double, double } @cogir_log_fraction(double %v5)
  %head.7 = extractvalue { double, double } %v6, 0
  %rest.8 = extractvalue { double, double } %v6, 1
  %v9 = call { double, double } @cogir_pair_product(double %head.7, double %rest.8, double 0x3FF71547652B82FE, double 0x3C7777D0FFDA0D24)
  %scaled.10 = extractvalue { double, double } %v9, 0
  %scaled_low.11 = extractvalue { double, double } %v9, 1
  %v12 = call { double, double } @cogir_fast_two_sum(double %k.3, double %scaled.10)
  %high.13 = extractvalue { double, double } %v12, 0
  %low.14 = extractvalue { double, double } %v12, 1
  %v15 = fadd double %low.14, %scaled_low.11
  %v16 = fadd double %high.13, %v15
  %v17 = call double @cogir_at_the_edges(double %x.1, double %v16)
  ret double %v17
}

; size 27 0
define internal <2 x double> @cogir_math_log2_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x double>, <2 x double> } @cogir_split_v2(<2 x double> %x.1)
  %k.3 = extractvalue { <2 x double>, <2 x double> } %v2, 0
  %m.4 = extractvalue { <2 x double>, <2 x double> } %v2, 1
  %v5 = fsub <2 x double> %m.4, splat (double 0x3FF0000000000000)
  %v6 = call { <2 x double>, <2 x double> } @cogir_log_fraction_v2(<2 x double> %v5)
  %head.7 = extractvalue { <2 x double>, <2 x double> } %v6, 0
  %rest.8 = extractvalue { <2 x double>, <2 x double> } %v6, 1
  %v9 = call { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> %head.7, <2 x double> %rest.8, <2 x double> splat (double 0x3FF71547652B82FE), <2 x double> splat (double 0x3C7777D0FFDA0D24))
  %scaled.10 = extractvalue { <2 x double>, <2 x double> } %v9, 0
  %scaled_low.11 = extractvalue { <2 x double>, <2 x double> } %v9, 1
  %v12 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %k.3, <2 x double> %scaled.10)
  %high.13 = extractvalue { <2 x double>, <2 x double> } %v12, 0
  %low.14 = extractvalue { <2 x double>, <2 x double> } %v12, 1
  %v15 = fadd <2 x double> %low.14, %scaled_low.11
  %v16 = fadd <2 x double> %high.13, %v15
  %v17 = call <2 x double> @cogir_at_the_edges_v2(<2 x double> %x.1, <2 x double> %v16)
  ret <2 x double> %v17
}

; size 27 0
define internal float @cogir_math_log_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_log_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 27 0
define internal double @cogir_math_log_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { double, double } @cogir_split(double %x.1)
  %k.3 = extractvalue { double, double } %v2, 0
  %m.4 = extractvalue { double, double } %v2, 1
  %v5 = fsub double %m.4, 0x3FF0000000000000
  %v6 = call { double, double } @cogir_log_fraction(double %v5)
  %head.7 = extractvalue { double, double } %v6, 0
  %rest.8 = extractvalue { double, double } %v6, 1
  %v9 = fmul double %k.3, 0x3FE62E42FEFA3800
  %v10 = call { double, double } @cogir_fast_two_sum(double %v9, double %head.7)
  %high.11 = extractvalue { double, double } %v10, 0
  %low.12 = extractvalue { double, double } %v10, 1
  %v13 = call double @llvm.fma.f64(double %k.3, double 0x3D2EF35793C76730, double %rest.8)
  %v14 = fadd double %low.12, %v13
  %v15 = fadd double %high.11, %v14
  %v16 = call double @cogir_at_the_edges(double %x.1, double %v15)
  ret double %v16
}

; size 27 0
define internal <2 x double> @cogir_math_log_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x double>, <2 x double> } @cogir_split_v2(<2 x double> %x.1)
  %k.3 = extractvalue { <2 x double>, <2 x double> } %v2, 0
  %m.4 = extractvalue { <2 x double>, <2 x double> } %v2, 1
  %v5 = fsub <2 x double> %m.4, splat (double 0x3FF0000000000000)
  %v6 = call { <2 x double>, <2 x double> } @cogir_log_fraction_v2(<2 x double> %v5)
  %head.7 = extractvalue { <2 x double>, <2 x double> } %v6, 0
  %rest.8 = extractvalue { <2 x double>, <2 x double> } %v6, 1
  %v9 = fmul <2 x double> %k.3, splat (double 0x3FE62E42FEFA3800)
  %v10 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %v9, <2 x double> %head.7)
  %high.11 = extractvalue { <2 x double>, <2 x double> } %v10, 0
  %low.12 = extractvalue { <2 x double>, <2 x double> } %v10, 1
  %v13 = call <2 x double> @llvm.fma.v2f64(<2 x double> %k.3, <2 x double> splat (double 0x3D2EF35793C76730), <2 x double> %rest.8)
  %v14 = fadd <2 x double> %low.12, %v13
  %v15 = fadd <2 x double> %high.11, %v14
  %v16 = call <2 x double> @cogir_at_the_edges_v2(<2 x double> %x.1, <2 x double> %v15)
  ret <2 x double> %v16
}

; size 52 0
define internal float @cogir_math_pow_f32(float noundef %v1, float noundef %v2) nounwind alwaysinline {
b0:
  %v3 = fpext float %v1 to double
  %v4 = fpext float %v2 to double
  %v5 = call double @cogir_math_pow_f64(double %v3, double %v4)
  %v6 = fptrunc double %v5 to float
  ret float %v6
}

; size 52 0
define internal double @cogir_math_pow_f64(double noundef %x.1, double noundef %y.2) nounwind alwaysinline {
b0:
  %magnitude.3 = call double @llvm.fabs.f64(double %x.1)
  %v4 = call { double, double } @cogir_log_pair(double %magnitude.3)
  %high.5 = extractvalue { double, double } %v4, 0
  %low.6 = extractvalue { double, double } %v4, 1
  %v7 = call { double, double } @cogir_two_product(double %y.2, double %high.5)
  %power.8 = extractvalue { double, double } %v7, 0
  %power_low.9 = extractvalue { double, double } %v7, 1
  %power_low.10 = call double @llvm.fma.f64(double %y.2, double %low.6, double %power_low.9)
  %v11 = call double @llvm.fabs.f64(double %power.8)
  %inside.12 = fcmp olt double %v11, 0x4087700000000000
  %v13 = call double @llvm.copysign.f64(double 0x4087700000000000, double %power.8)
  %v14 = select i1 %inside.12, double %power.8, double %v13
  %v15 = call { i64, double, double } @cogir_reduce_exp(double %v14)
  %k.16 = extractvalue { i64, double, double } %v15, 0
  %r.17 = extractvalue { i64, double, double } %v15, 1
  %r_low.18 = extractvalue { i64, double, double } %v15, 2
  %v19 = select i1 %inside.12, double %power_low.10, double 0x0000000000000000
  %v20 = fadd double %r_low.18, %v19
  %v21 = call { double, double } @cogir_fast_two_sum(double %r.17, double %v20)
  %r.22 = extractvalue { double, double } %v21, 0
  %r_low.23 = extractvalue { double, double } %v21, 1
  %v24 = call double @cogir_exp_reduced(double %r.22, double %r_low.23)
  %value.25 = call double @cogir_scale(double %v24, i64 %k.16)
  %v26 = call double @cogir_power_at_the_edges(double %x.1, double %y.2, double %value.25)
  ret double %v26
}

; size 52 0
define internal <2 x double> @cogir_math_pow_f64_v2(<2 x double> noundef %x.1, <2 x double> noundef %y.2) nounwind alwaysinline {
b0:
  %magnitude.3 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v4 = call { <2 x double>, <2 x double> } @cogir_log_pair_v2(<2 x double> %magnitude.3)
  %high.5 = extractvalue { <2 x double>, <2 x double> } %v4, 0
  %low.6 = extractvalue { <2 x double>, <2 x double> } %v4, 1
  %v7 = call { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> %y.2, <2 x double> %high.5)
  %power.8 = extractvalue { <2 x double>, <2 x double> } %v7, 0
  %power_low.9 = extractvalue { <2 x double>, <2 x double> } %v7, 1
  %power_low.10 = call <2 x double> @llvm.fma.v2f64(<2 x double> %y.2, <2 x double> %low.6, <2 x double> %power_low.9)
  %v11 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %power.8)
  %inside.12 = fcmp olt <2 x double> %v11, splat (double 0x4087700000000000)
  %v13 = call <2 x double> @llvm.copysign.v2f64(<2 x double> splat (double 0x4087700000000000), <2 x double> %power.8)
  %v14 = select <2 x i1> %inside.12, <2 x double> %power.8, <2 x double> %v13
  %v15 = call { <2 x i64>, <2 x double>, <2 x double> } @cogir_reduce_exp_v2(<2 x double> %v14)
  %k.16 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v15, 0
  %r.17 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v15, 1
  %r_low.18 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v15, 2
  %v19 = select <2 x i1> %inside.12, <2 x double> %power_low.10, <2 x double> zeroinitializer
  %v20 = fadd <2 x double> %r_low.18, %v19
  %v21 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %r.17, <2 x double> %v20)
  %r.22 = extractvalue { <2 x double>, <2 x double> } %v21, 0
  %r_low.23 = extractvalue { <2 x double>, <2 x double> } %v21, 1
  %v24 = call <2 x double> @cogir_exp_reduced_v2(<2 x double> %r.22, <2 x double> %r_low.23)
  %value.25 = call <2 x double> @cogir_scale_v2(<2 x double> %v24, <2 x i64> %k.16)
  %v26 = call <2 x double> @cogir_power_at_the_edges_v2(<2 x double> %x.1, <2 x double> %y.2, <2 x double> %value.25)
  ret <2 x double> %v26
}

; size 12 0
define internal float @cogir_math_round_half_away_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_round_half_away_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 12 0
define internal double @cogir_math_round_half_away_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %whole.2 = call double @llvm.trunc.f64(double %x.1)
  %v3 = fsub double %x.1, %whole.2
  %v4 = call double @llvm.fabs.f64(double %v3)
  %v5 = fcmp olt double %v4, 0x3FE0000000000000
  %v6 = call double @llvm.fabs.f64(double %whole.2)
  %v7 = call double @llvm.fabs.f64(double %whole.2)
  %v8 = fadd double %v7, 0x3FF0000000000000
  %v9 = select i1 %v5, double %v6, double %v8
  %v10 = call double @llvm.copysign.f64(double %v9, double %x.1)
  ret double %v10
}

; size 12 0
define internal <2 x double> @cogir_math_round_half_away_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %whole.2 = call <2 x double> @llvm.trunc.v2f64(<2 x double> %x.1)
  %v3 = fsub <2 x double> %x.1, %whole.2
  %v4 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %v3)
  %v5 = fcmp olt <2 x double> %v4, splat (double 0x3FE0000000000000)
  %v6 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %whole.2)
  %v7 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %whole.2)
  %v8 = fadd <2 x double> %v7, splat (double 0x3FF0000000000000)
  %v9 = select <2 x i1> %v5, <2 x double> %v6, <2 x double> %v8
  %v10 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v9, <2 x double> %x.1)
  ret <2 x double> %v10
}

; size 90 6
define internal float @cogir_math_sin_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_sin_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 90 6
define internal double @cogir_math_sin_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { i64, double, double } @cogir_reduce_quadrant(double %x.1)
  %q.3 = extractvalue { i64, double, double } %v2, 0
  %r.4 = extractvalue { i64, double, double } %v2, 1
  %r_low.5 = extractvalue { i64, double, double } %v2, 2
  %v6 = call { double, double } @cogir_sin_reduced(double %r.4, double %r_low.5)
  %sine.7 = extractvalue { double, double } %v6, 0
  %sine_low.8 = extractvalue { double, double } %v6, 1
  %v9 = call { double, double } @cogir_cos_reduced(double %r.4, double %r_low.5)
  %cosine.10 = extractvalue { double, double } %v9, 0
  %cosine_low.11 = extractvalue { double, double } %v9, 1
  %v12 = fadd double %sine.7, %sine_low.8
  %v13 = fadd double %cosine.10, %cosine_low.11
  %value.14 = call double @cogir_quadrant_value(i64 %q.3, double %v12, double %v13)
  %v15 = fcmp oeq double %x.1, 0x0000000000000000
  %value.16 = select i1 %v15, double %x.1, double %value.14
  %v17 = call double @llvm.fabs.f64(double %x.1)
  %v18 = fcmp olt double %v17, 0x7FF0000000000000
  %v19 = fsub double %x.1, %x.1
  %v20 = select i1 %v18, double %value.16, double %v19
  ret double %v20
}

@cogir_math_sin_f64_constant_0 = internal constant [21 x i64] [i64 0, i64 -6703182060581546711, i64 -277156292786332224, i64 -2638381946312093631, i64 -121206125134887583, i64 -5249950069107600672, i64 452944820249399836, i64 -135693905287338178, i64 -1692731182770600828, i64 -1613291254968254911, i64 4148332274289687028, i64 -7168499653074671557, i64 2303758334597371919, i64 -1211730484530615009, i64 7869616827067468215, i64 5712322887342352941, i64 8441921394348257659, i64 4397547296490951402, i64 7780917995555872008, i64 6197850593633725355, i64 -1094449336203069923], align 64

; size 28 0
define internal float @cogir_math_sinh_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_sinh_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 28 0
define internal double @cogir_math_sinh_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { i64, double, double, double, double, double, double } @cogir_hyperbolic_parts(double %x.1)
  %k.3 = extractvalue { i64, double, double, double, double, double, double } %v2, 0
  %one.4 = extractvalue { i64, double, double, double, double, double, double } %v2, 1
  %one_low.5 = extractvalue { i64, double, double, double, double, double, double } %v2, 2
  %grown.6 = extractvalue { i64, double, double, double, double, double, double } %v2, 3
  %grown_low.7 = extractvalue { i64, double, double, double, double, double, double } %v2, 4
  %shrunk.8 = extractvalue { i64, double, double, double, double, double, double } %v2, 5
  %shrunk_low.9 = extractvalue { i64, double, double, double, double, double, double } %v2, 6
  %v10 = call { double, double } @cogir_fast_two_sum(double %one.4, double %grown.6)
  %high.11 = extractvalue { double, double } %v10, 0
  %low.12 = extractvalue { double, double } %v10, 1
  %v13 = call { double, double } @cogir_fast_two_sum(double %high.11, double %shrunk.8)
  %high.14 = extractvalue { double, double } %v13, 0
  %shift.15 = extractvalue { double, double } %v13, 1
  %v16 = fadd double %grown_low.7, %shrunk_low.9
  %v17 = fadd double %one_low.5, %v16
  %v18 = fadd double %low.12, %v17
  %v19 = fadd double %shift.15, %v18
  %value.20 = fadd double %high.14, %v19
  %v21 = sub i64 %k.3, 1
  %v22 = call double @cogir_scale(double %value.20, i64 %v21)
  %v23 = call double @llvm.copysign.f64(double %v22, double %x.1)
  ret double %v23
}

; size 28 0
define internal <2 x double> @cogir_math_sinh_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } @cogir_hyperbolic_parts_v2(<2 x double> %x.1)
  %k.3 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 0
  %one.4 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 1
  %one_low.5 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 2
  %grown.6 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 3
  %grown_low.7 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 4
  %shrunk.8 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 5
  %shrunk_low.9 = extractvalue { <2 x i64>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double>, <2 x double> } %v2, 6
  %v10 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %one.4, <2 x double> %grown.6)
  %high.11 = extractvalue { <2 x double>, <2 x double> } %v10, 0
  %low.12 = extractvalue { <2 x double>, <2 x double> } %v10, 1
  %v13 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %high.11, <2 x double> %shrunk.8)
  %high.14 = extractvalue { <2 x double>, <2 x double> } %v13, 0
  %shift.15 = extractvalue { <2 x double>, <2 x double> } %v13, 1
  %v16 = fadd <2 x double> %grown_low.7, %shrunk_low.9
  %v17 = fadd <2 x double> %one_low.5, %v16
  %v18 = fadd <2 x double> %low.12, %v17
  %v19 = fadd <2 x double> %shift.15, %v18
  %value.20 = fadd <2 x double> %high.14, %v19
  %v21 = sub <2 x i64> %k.3, splat (i64 1)
  %v22 = call <2 x double> @cogir_scale_v2(<2 x double> %value.20, <2 x i64> %v21)
  %v23 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v22, <2 x double> %x.1)
  ret <2 x double> %v23
}

; size 90 6
define internal float @cogir_math_tan_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_tan_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 90 6
define internal double @cogir_math_tan_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call { i64, double, double } @cogir_reduce_quadrant(double %x.1)
  %q.3 = extractvalue { i64, double, double } %v2, 0
  %r.4 = extractvalue { i64, double, double } %v2, 1
  %r_low.5 = extractvalue { i64, double, double } %v2, 2
  %v6 = call { double, double } @cogir_sin_reduced(double %r.4, double %r_low.5)
  %sine.7 = extractvalue { double, double } %v6, 0
  %sine_low.8 = extractvalue { double, double } %v6, 1
  %v9 = call { double, double } @cogir_fast_two_sum(double %sine.7, double %sine_low.8)
  %sine.10 = extractvalue { double, double } %v9, 0
  %sine_low.11 = extractvalue { double, double } %v9, 1
  %v12 = call { double, double } @cogir_cos_reduced(double %r.4, double %r_low.5)
  %cosine.13 = extractvalue { double, double } %v12, 0
  %cosine_low.14 = extractvalue { double, double } %v12, 1
  %v15 = call { double, double } @cogir_fast_two_sum(double %cosine.13, double %cosine_low.14)
  %cosine.16 = extractvalue { double, double } %v15, 0
  %cosine_low.17 = extractvalue { double, double } %v15, 1
  %v18 = and i64 %q.3, 1
  %even.19 = icmp eq i64 %v18, 0
  %v20 = fneg double %cosine.16
  %v21 = select i1 %even.19, double %sine.10, double %v20
  %v22 = fneg double %cosine_low.17
  %v23 = select i1 %even.19, double %sine_low.11, double %v22
  %v24 = select i1 %even.19, double %cosine.16, double %sine.10
  %v25 = select i1 %even.19, double %cosine_low.17, double %sine_low.11
  %v26 = call { double, double } @cogir_pair_quotient(double %v21, double %v23, double %v24, double %v25)
  %high.27 = extractvalue { double, double } %v26, 0
  %low.28 = extractvalue { double, double } %v26, 1
  %v29 = fcmp oeq double %x.1, 0x0000000000000000
  %v30 = fadd double %high.27, %low.28
  %value.31 = select i1 %v29, double %x.1, double %v30
  %v32 = call double @llvm.fabs.f64(double %x.1)
  %v33 = fcmp olt double %v32, 0x7FF0000000000000
  %v34 = fsub double %x.1, %x.1
  %v35 = select i1 %v33, double %value.31, double %v34
  ret double %v35
}

; size 28 0
define internal float @cogir_math_tanh_f32(float noundef %v1) nounwind alwaysinline {
b0:
  %v2 = fpext float %v1 to double
  %v3 = call double @cogir_math_tanh_f64(double %v2)
  %v4 = fptrunc double %v3 to float
  ret float %v4
}

; size 28 0
define internal double @cogir_math_tanh_f64(double noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call double @llvm.fabs.f64(double %x.1)
  %v3 = fcmp ogt double %magnitude.2, 0x4036000000000000
  %magnitude.4 = select i1 %v3, double 0x4036000000000000, double %magnitude.2
  %v5 = fadd double %magnitude.4, %magnitude.4
  %v6 = call { i64, double, double } @cogir_reduce_exp(double %v5)
  %k.7 = extractvalue { i64, double, double } %v6, 0
  %r.8 = extractvalue { i64, double, double } %v6, 1
  %r_low.9 = extractvalue { i64, double, double } %v6, 2
  %v10 = call { double, double } @cogir_expm1_reduced(double %r.8, double %r_low.9)
  %head.11 = extractvalue { double, double } %v10, 0
  %rest.12 = extractvalue { double, double } %v10, 1
  %v13 = sub i64 0, %k.7
  %w.14 = call double @cogir_power_of_two(i64 %v13)
  %v15 = fneg double %w.14
  %v16 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %v15)
  %minus.17 = extractvalue { double, double } %v16, 0
  %minus_low.18 = extractvalue { double, double } %v16, 1
  %v19 = call { double, double } @cogir_fast_two_sum(double 0x3FF0000000000000, double %w.14)
  %plus.20 = extractvalue { double, double } %v19, 0
  %plus_low.21 = extractvalue { double, double } %v19, 1
  %v22 = call { double, double } @cogir_fast_two_sum(double %minus.17, double %head.11)
  %above.23 = extractvalue { double, double } %v22, 0
  %above_low.24 = extractvalue { double, double } %v22, 1
  %v25 = call { double, double } @cogir_fast_two_sum(double %plus.20, double %head.11)
  %below.26 = extractvalue { double, double } %v25, 0
  %below_low.27 = extractvalue { double, double } %v25, 1
  %v28 = fadd double %minus_low.18, %rest.12
  %v29 = fadd double %above_low.24, %v28
  %v30 = fadd double %plus_low.21, %rest.12
  %v31 = fadd double %below_low.27, %v30
  %v32 = call { double, double } @cogir_pair_quotient(double %above.23, double %v29, double %below.26, double %v31)
  %high.33 = extractvalue { double, double } %v32, 0
  %low.34 = extractvalue { double, double } %v32, 1
  %v35 = fadd double %high.33, %low.34
  %v36 = call double @llvm.copysign.f64(double %v35, double %x.1)
  ret double %v36
}

; size 28 0
define internal <2 x double> @cogir_math_tanh_f64_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %magnitude.2 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v3 = fcmp ogt <2 x double> %magnitude.2, splat (double 0x4036000000000000)
  %magnitude.4 = select <2 x i1> %v3, <2 x double> splat (double 0x4036000000000000), <2 x double> %magnitude.2
  %v5 = fadd <2 x double> %magnitude.4, %magnitude.4
  %v6 = call { <2 x i64>, <2 x double>, <2 x double> } @cogir_reduce_exp_v2(<2 x double> %v5)
  %k.7 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 0
  %r.8 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 1
  %r_low.9 = extractvalue { <2 x i64>, <2 x double>, <2 x double> } %v6, 2
  %v10 = call { <2 x double>, <2 x double> } @cogir_expm1_reduced_v2(<2 x double> %r.8, <2 x double> %r_low.9)
  %head.11 = extractvalue { <2 x double>, <2 x double> } %v10, 0
  %rest.12 = extractvalue { <2 x double>, <2 x double> } %v10, 1
  %v13 = sub <2 x i64> zeroinitializer, %k.7
  %w.14 = call <2 x double> @cogir_power_of_two_v2(<2 x i64> %v13)
  %v15 = fneg <2 x double> %w.14
  %v16 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %v15)
  %minus.17 = extractvalue { <2 x double>, <2 x double> } %v16, 0
  %minus_low.18 = extractvalue { <2 x double>, <2 x double> } %v16, 1
  %v19 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> splat (double 0x3FF0000000000000), <2 x double> %w.14)
  %plus.20 = extractvalue { <2 x double>, <2 x double> } %v19, 0
  %plus_low.21 = extractvalue { <2 x double>, <2 x double> } %v19, 1
  %v22 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %minus.17, <2 x double> %head.11)
  %above.23 = extractvalue { <2 x double>, <2 x double> } %v22, 0
  %above_low.24 = extractvalue { <2 x double>, <2 x double> } %v22, 1
  %v25 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %plus.20, <2 x double> %head.11)
  %below.26 = extractvalue { <2 x double>, <2 x double> } %v25, 0
  %below_low.27 = extractvalue { <2 x double>, <2 x double> } %v25, 1
  %v28 = fadd <2 x double> %minus_low.18, %rest.12
  %v29 = fadd <2 x double> %above_low.24, %v28
  %v30 = fadd <2 x double> %plus_low.21, %rest.12
  %v31 = fadd <2 x double> %below_low.27, %v30
  %v32 = call { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> %above.23, <2 x double> %v29, <2 x double> %below.26, <2 x double> %v31)
  %high.33 = extractvalue { <2 x double>, <2 x double> } %v32, 0
  %low.34 = extractvalue { <2 x double>, <2 x double> } %v32, 1
  %v35 = fadd <2 x double> %high.33, %low.34
  %v36 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %v35, <2 x double> %x.1)
  ret <2 x double> %v36
}

define internal i64 @cogir_mix64(i64 noundef %z.1) nounwind alwaysinline {
b0:
  %v2 = lshr i64 %z.1, 30
  %v3 = xor i64 %z.1, %v2
  %z.4 = mul i64 %v3, -4658895280553007687
  %v5 = lshr i64 %z.4, 27
  %v6 = xor i64 %z.4, %v5
  %z.7 = mul i64 %v6, -7723592293110705685
  %v8 = lshr i64 %z.7, 31
  %v9 = xor i64 %z.7, %v8
  ret i64 %v9
}

define internal i64 @cogir_mix_seeds(i64 noundef %x.1, i64 noundef %y.2) nounwind alwaysinline {
b0:
  %v3 = mul i64 3389127133, %x.1
  %v4 = mul i64 1232336661, %y.2
  %v5 = sub i64 %v3, %v4
  %mixed.6 = and i64 %v5, 4294967295
  %v7 = ashr i64 %mixed.6, 16
  %v8 = xor i64 %mixed.6, %v7
  ret i64 %v8
}

define internal i64 @cogir_mixed(i64 noundef %last.1) nounwind alwaysinline {
b0:
  %lower.2 = and i64 %last.1, 4294967295
  %v3 = ashr i64 %lower.2, 30
  %v4 = xor i64 %lower.2, %v3
  ret i64 %v4
}

define internal i64 @cogir_mt19937_enter(i64 noundef %word.1, i64 noundef %last.2, i64 noundef %key.3) nounwind alwaysinline {
b0:
  %v4 = ashr i64 %last.2, 30
  %v5 = xor i64 %last.2, %v4
  %v6 = mul i64 %v5, 1664525
  %v7 = xor i64 %word.1, %v6
  %v8 = add i64 %v7, %key.3
  %v9 = and i64 %v8, 4294967295
  ret i64 %v9
}

define internal double @cogir_mt19937_exponential(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %u.2 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v3 = fsub double 0x3FF0000000000000, %u.2
  %v4 = call double @log(double %v3) nobuiltin
  %v5 = fneg double %v4
  ret double %v5
}

define internal void @cogir_mt19937_finish(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 1
  %last.3 = load i64, ptr %v2
  br label %b1
b1:
  %i.4 = phi i64 [ 2, %b0 ], [ %v16, %b2 ]
  %last.5 = phi i64 [ %last.3, %b0 ], [ %last.14, %b2 ]
  %v6 = icmp slt i64 %i.4, 624
  br i1 %v6, label %b2, label %b3
b2:
  %v7 = getelementptr inbounds i64, ptr %words.1, i64 %i.4
  %v8 = load i64, ptr %v7
  %v9 = ashr i64 %last.5, 30
  %v10 = xor i64 %last.5, %v9
  %v11 = mul i64 %v10, 1566083941
  %v12 = xor i64 %v8, %v11
  %v13 = sub i64 %v12, %i.4
  %last.14 = and i64 %v13, 4294967295
  %v15 = getelementptr inbounds i64, ptr %words.1, i64 %i.4
  store i64 %last.14, ptr %v15
  %v16 = add i64 %i.4, 1
  br label %b1
b3:
  %v17 = getelementptr inbounds i64, ptr %words.1, i32 1
  %v18 = load i64, ptr %v17
  %v19 = ashr i64 %last.5, 30
  %v20 = xor i64 %last.5, %v19
  %v21 = mul i64 %v20, 1566083941
  %v22 = xor i64 %v18, %v21
  %v23 = sub i64 %v22, 1
  %last.24 = and i64 %v23, 4294967295
  %v25 = getelementptr inbounds i64, ptr %words.1, i32 1
  store i64 %last.24, ptr %v25
  store i64 2147483648, ptr %words.1
  %v26 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 624, ptr %v26
  ret void
}

define internal double @cogir_mt19937_gamma(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, double noundef %shape.2) nounwind alwaysinline {
b0:
  %v3 = fcmp oeq double %shape.2, 0x3FF0000000000000
  br i1 %v3, label %b1, label %b2
b1:
  %value.4 = call double @cogir_mt19937_exponential(ptr %words.1)
  br label %b30
b2:
  %v5 = fcmp oeq double %shape.2, 0x0000000000000000
  br i1 %v5, label %b3, label %b4
b3:
  br label %b29
b4:
  %v6 = fcmp ogt double %shape.2, 0x0000000000000000
  %v7 = fcmp olt double %shape.2, 0x3FF0000000000000
  %v8 = and i1 %v6, %v7
  br i1 %v8, label %b5, label %b12
b5:
  br label %b6
b6:
  %value.9 = phi double [ 0x7FF8000000000000, %b5 ], [ %v31, %b10 ]
  %waiting.10 = phi i1 [ true, %b5 ], [ %v32, %b10 ]
  br i1 %waiting.10, label %b7, label %b11
b7:
  %u.11 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v.12 = call double @cogir_mt19937_exponential(ptr %words.1)
  %v13 = fsub double 0x3FF0000000000000, %shape.2
  %v14 = fcmp ole double %u.11, %v13
  br i1 %v14, label %b8, label %b9
b8:
  %y.15 = fdiv double 0x3FF0000000000000, %shape.2
  %value.16 = call double @pow(double %u.11, double %y.15) nobuiltin
  %v17 = fcmp ole double %value.16, %v.12
  %waiting.18 = xor i1 %v17, true
  br label %b10
b9:
  %v19 = fsub double 0x3FF0000000000000, %u.11
  %x.20 = fdiv double %v19, %shape.2
  %v21 = call double @log(double %x.20) nobuiltin
  %y.22 = fneg double %v21
  %v23 = fsub double 0x3FF0000000000000, %shape.2
  %v24 = fmul double %shape.2, %y.22
  %x.25 = fadd double %v23, %v24
  %y.26 = fdiv double 0x3FF0000000000000, %shape.2
  %value.27 = call double @pow(double %x.25, double %y.26) nobuiltin
  %v28 = fadd double %v.12, %y.22
  %v29 = fcmp ole double %value.27, %v28
  %waiting.30 = xor i1 %v29, true
  br label %b10
b10:
  %v31 = phi double [ %value.16, %b8 ], [ %value.27, %b9 ]
  %v32 = phi i1 [ %waiting.18, %b8 ], [ %waiting.30, %b9 ]
  br label %b6
b11:
  br label %b28
b12:
  %v33 = fcmp ogt double %shape.2, 0x3FF0000000000000
  br i1 %v33, label %b13, label %b26
b13:
  %b.34 = fsub double %shape.2, 0x3FD5555555555555
  %v35 = fmul double 0x4022000000000000, %b.34
  %v36 = call double @llvm.sqrt.f64(double %v35)
  %c.37 = fdiv double 0x3FF0000000000000, %v36
  br label %b14
b14:
  %value.38 = phi double [ 0x7FF8000000000000, %b13 ], [ %value.49, %b24 ]
  %waiting.39 = phi i1 [ true, %b13 ], [ %v66, %b24 ]
  br i1 %waiting.39, label %b15, label %b25
b15:
  br label %b16
b16:
  %x.40 = phi double [ 0x0000000000000000, %b15 ], [ %x.43, %b17 ]
  %v.41 = phi double [ 0x0000000000000000, %b15 ], [ %v.45, %b17 ]
  %v42 = fcmp ole double %v.41, 0x0000000000000000
  br i1 %v42, label %b17, label %b18
b17:
  %x.43 = call double @cogir_mt19937_normal(ptr %words.1)
  %v44 = fmul double %c.37, %x.43
  %v.45 = fadd double 0x3FF0000000000000, %v44
  br label %b16
b18:
  %v46 = fmul double %v.41, %v.41
  %v.47 = fmul double %v46, %v.41
  %u.48 = call double @cogir_mt19937_uniform(ptr %words.1)
  %value.49 = fmul double %b.34, %v.47
  %v50 = fmul double %x.40, %x.40
  %v51 = fmul double 0x3FA0F27BB2FEC56D, %v50
  %v52 = fmul double %x.40, %x.40
  %v53 = fmul double %v51, %v52
  %v54 = fsub double 0x3FF0000000000000, %v53
  %v55 = fcmp olt double %u.48, %v54
  br i1 %v55, label %b19, label %b20
b19:
  br label %b21
b20:
  %v56 = call double @log(double %u.48) nobuiltin
  %v57 = fmul double 0x3FE0000000000000, %x.40
  %v58 = fmul double %v57, %x.40
  %v59 = fsub double 0x3FF0000000000000, %v.47
  %v60 = call double @log(double %v.47) nobuiltin
  %v61 = fadd double %v59, %v60
  %v62 = fmul double %b.34, %v61
  %v63 = fadd double %v58, %v62
  %v64 = fcmp olt double %v56, %v63
  br label %b21
b21:
  %v65 = phi i1 [ %v55, %b19 ], [ %v64, %b20 ]
  br i1 %v65, label %b22, label %b23
b22:
  br label %b24
b23:
  br label %b24
b24:
  %v66 = phi i1 [ false, %b22 ], [ %waiting.39, %b23 ]
  br label %b14
b25:
  br label %b27
b26:
  br label %b27
b27:
  %v67 = phi double [ %value.38, %b25 ], [ 0x7FF8000000000000, %b26 ]
  br label %b28
b28:
  %v68 = phi double [ %value.9, %b11 ], [ %v67, %b27 ]
  br label %b29
b29:
  %v69 = phi double [ 0x0000000000000000, %b3 ], [ %v68, %b28 ]
  br label %b30
b30:
  %v70 = phi double [ %value.4, %b1 ], [ %v69, %b29 ]
  ret double %v70
}

define internal i64 @cogir_mt19937_mix(i64 noundef %high.1, i64 noundef %low.2, i64 noundef %other.3) nounwind alwaysinline {
b0:
  %v4 = and i64 %high.1, 2147483648
  %v5 = and i64 %low.2, 2147483647
  %joined.6 = or i64 %v4, %v5
  %v7 = ashr i64 %joined.6, 1
  %v8 = xor i64 %other.3, %v7
  %v9 = and i64 %joined.6, 1
  %v10 = sub i64 0, %v9
  %v11 = and i64 %v10, 2567483615
  %v12 = xor i64 %v8, %v11
  ret i64 %v12
}

define internal i64 @cogir_mt19937_mix_ahead(i64 noundef %high.1, i64 noundef %low.2, i64 noundef %other.3) nounwind alwaysinline {
b0:
  %v4 = and i64 %high.1, 2147483648
  %v5 = and i64 %low.2, 2147483647
  %joined.6 = or i64 %v4, %v5
  %v7 = ashr i64 %joined.6, 1
  %v8 = xor i64 %other.3, %v7
  %v9 = and i64 %joined.6, 1
  %v10 = sub i64 0, %v9
  %v11 = and i64 %v10, 2567483615
  %v12 = xor i64 %v8, %v11
  ret i64 %v12
}

define internal i64 @cogir_mt19937_next(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 624
  %v3 = load i64, ptr %v2
  %v4 = icmp sge i64 %v3, 624
  br i1 %v4, label %b1, label %b2
b1:
  call void @cogir_mt19937_twist(ptr %words.1)
  br label %b3
b2:
  br label %b3
b3:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 624
  %position.6 = load i64, ptr %v5
  %v7 = add i64 %position.6, 627
  %v8 = icmp slt i64 %position.6, 0
  %v9 = select i1 %v8, i64 %v7, i64 %position.6
  %v10 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %v11 = call i64 @llvm.smin.i64(i64 %v10, i64 626)
  %v12 = getelementptr inbounds i64, ptr %words.1, i64 %v11
  %y.13 = load i64, ptr %v12
  %v14 = add i64 %position.6, 1
  %v15 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %v14, ptr %v15
  %v16 = call i64 @cogir_mt19937_temper(i64 %y.13)
  ret i64 %v16
}

define internal i64 @cogir_mt19937_next_ahead(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 624
  %v3 = load i64, ptr %v2
  %v4 = icmp sge i64 %v3, 624
  br i1 %v4, label %b1, label %b2
b1:
  call void @cogir_mt19937_twist_ahead(ptr %words.1)
  br label %b3
b2:
  br label %b3
b3:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 624
  %position.6 = load i64, ptr %v5
  %v7 = add i64 %position.6, 688
  %v8 = icmp slt i64 %position.6, 0
  %v9 = select i1 %v8, i64 %v7, i64 %position.6
  %v10 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %v11 = call i64 @llvm.smin.i64(i64 %v10, i64 687)
  %v12 = getelementptr inbounds i64, ptr %words.1, i64 %v11
  %y.13 = load i64, ptr %v12
  %v14 = add i64 %position.6, 1
  %v15 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %v14, ptr %v15
  %v16 = call i64 @cogir_mt19937_temper_ahead(i64 %y.13)
  ret i64 %v16
}

define internal double @cogir_mt19937_normal(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 625
  %v3 = load i64, ptr %v2
  %v4 = icmp ne i64 %v3, 0
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 626
  %v6 = load i64, ptr %v5
  %kept.7 = bitcast i64 %v6 to double
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 625
  store i64 0, ptr %v8
  %v9 = getelementptr inbounds i64, ptr %words.1, i32 626
  store i64 0, ptr %v9
  br label %b6
b2:
  br label %b3
b3:
  %x.10 = phi double [ 0x0000000000000000, %b2 ], [ %x.19, %b4 ]
  %y.11 = phi double [ 0x0000000000000000, %b2 ], [ %y.21, %b4 ]
  %square.12 = phi double [ 0x4000000000000000, %b2 ], [ %square.24, %b4 ]
  %v13 = fcmp oge double %square.12, 0x3FF0000000000000
  %v14 = fcmp oeq double %square.12, 0x0000000000000000
  %v15 = or i1 %v13, %v14
  br i1 %v15, label %b4, label %b5
b4:
  %u.16 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v.17 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v18 = fmul double 0x4000000000000000, %u.16
  %x.19 = fsub double %v18, 0x3FF0000000000000
  %v20 = fmul double 0x4000000000000000, %v.17
  %y.21 = fsub double %v20, 0x3FF0000000000000
  %v22 = fmul double %x.19, %x.19
  %v23 = fmul double %y.21, %y.21
  %square.24 = fadd double %v22, %v23
  br label %b3
b5:
  %v25 = call double @log(double %square.12) nobuiltin
  %v26 = fmul double 0xC000000000000000, %v25
  %v27 = fdiv double %v26, %square.12
  %factor.28 = call double @llvm.sqrt.f64(double %v27)
  %v29 = getelementptr inbounds i64, ptr %words.1, i32 625
  store i64 1, ptr %v29
  %v30 = fmul double %factor.28, %x.10
  %v31 = bitcast double %v30 to i64
  %v32 = getelementptr inbounds i64, ptr %words.1, i32 626
  store i64 %v31, ptr %v32
  %v33 = fmul double %factor.28, %y.11
  br label %b6
b6:
  %v34 = phi double [ %kept.7, %b1 ], [ %v33, %b5 ]
  ret double %v34
}

define internal void @cogir_mt19937_start(ptr align 8 dereferenceable(5016) nonnull noalias noundef %v1) nounwind alwaysinline {
b0:
  br label %b1
b1:
  %v2 = phi i64 [ 0, %b0 ], [ %v5, %b2 ]
  %v3 = icmp slt i64 %v2, 627
  br i1 %v3, label %b2, label %b3
b2:
  %v4 = getelementptr inbounds i64, ptr %v1, i64 %v2
  store i64 0, ptr %v4
  %v5 = add i64 %v2, 1
  br label %b1
b3:
  store i64 19650218, ptr %v1
  br label %b4
b4:
  %i.6 = phi i64 [ 1, %b3 ], [ %v15, %b5 ]
  %last.7 = phi i64 [ 19650218, %b3 ], [ %last.13, %b5 ]
  %v8 = icmp slt i64 %i.6, 624
  br i1 %v8, label %b5, label %b6
b5:
  %v9 = ashr i64 %last.7, 30
  %v10 = xor i64 %last.7, %v9
  %v11 = mul i64 1812433253, %v10
  %v12 = add i64 %v11, %i.6
  %last.13 = and i64 %v12, 4294967295
  %v14 = getelementptr inbounds i64, ptr %v1, i64 %i.6
  store i64 %last.13, ptr %v14
  %v15 = add i64 %i.6, 1
  br label %b4
b6:
  ret void
}

define internal i64 @cogir_mt19937_temper(i64 noundef %y.1) nounwind alwaysinline {
b0:
  %v2 = ashr i64 %y.1, 11
  %y.3 = xor i64 %y.1, %v2
  %v4 = shl i64 %y.3, 7
  %v5 = and i64 %v4, 2636928640
  %y.6 = xor i64 %y.3, %v5
  %v7 = shl i64 %y.6, 15
  %v8 = and i64 %v7, 4022730752
  %y.9 = xor i64 %y.6, %v8
  %v10 = ashr i64 %y.9, 18
  %v11 = xor i64 %y.9, %v10
  ret i64 %v11
}

define internal i64 @cogir_mt19937_temper_ahead(i64 noundef %y.1) nounwind alwaysinline {
b0:
  %v2 = ashr i64 %y.1, 11
  %y.3 = xor i64 %y.1, %v2
  %v4 = shl i64 %y.3, 7
  %v5 = and i64 %v4, 2636928640
  %y.6 = xor i64 %y.3, %v5
  %v7 = shl i64 %y.6, 15
  %v8 = and i64 %v7, 4022730752
  %y.9 = xor i64 %y.6, %v8
  %v10 = ashr i64 %y.9, 18
  %v11 = xor i64 %y.9, %v10
  ret i64 %v11
}

define internal void @cogir_mt19937_twist(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  br label %b1
b1:
  %i.2 = phi i64 [ 0, %b0 ], [ %v15, %b2 ]
  %i.3 = phi i64 [ 0, %b0 ], [ %i.2, %b2 ]
  %v4 = icmp slt i64 %i.2, 227
  br i1 %v4, label %b2, label %b3
b2:
  %v5 = getelementptr inbounds i64, ptr %words.1, i64 %i.2
  %v6 = load i64, ptr %v5
  %v7 = add i64 %i.2, 1
  %v8 = getelementptr inbounds i64, ptr %words.1, i64 %v7
  %v9 = load i64, ptr %v8
  %v10 = add i64 %i.2, 397
  %v11 = getelementptr inbounds i64, ptr %words.1, i64 %v10
  %v12 = load i64, ptr %v11
  %v13 = call i64 @cogir_mt19937_mix(i64 %v6, i64 %v9, i64 %v12)
  %v14 = getelementptr inbounds i64, ptr %words.1, i64 %i.2
  store i64 %v13, ptr %v14
  %v15 = add i64 %i.2, 1
  br label %b1
b3:
  br label %b4
b4:
  %i.16 = phi i64 [ 227, %b3 ], [ %v29, %b5 ]
  %i.17 = phi i64 [ %i.3, %b3 ], [ %i.16, %b5 ]
  %v18 = icmp slt i64 %i.16, 454
  br i1 %v18, label %b5, label %b6
b5:
  %v19 = getelementptr inbounds i64, ptr %words.1, i64 %i.16
  %v20 = load i64, ptr %v19
  %v21 = add i64 %i.16, 1
  %v22 = getelementptr inbounds i64, ptr %words.1, i64 %v21
  %v23 = load i64, ptr %v22
  %v24 = add i64 %i.16, -227
  %v25 = getelementptr inbounds i64, ptr %words.1, i64 %v24
  %v26 = load i64, ptr %v25
  %v27 = call i64 @cogir_mt19937_mix(i64 %v20, i64 %v23, i64 %v26)
  %v28 = getelementptr inbounds i64, ptr %words.1, i64 %i.16
  store i64 %v27, ptr %v28
  %v29 = add i64 %i.16, 1
  br label %b4
b6:
  br label %b7
b7:
  %i.30 = phi i64 [ 454, %b6 ], [ %v43, %b8 ]
  %i.31 = phi i64 [ %i.17, %b6 ], [ %i.30, %b8 ]
  %v32 = icmp slt i64 %i.30, 623
  br i1 %v32, label %b8, label %b9
b8:
  %v33 = getelementptr inbounds i64, ptr %words.1, i64 %i.30
  %v34 = load i64, ptr %v33
  %v35 = add i64 %i.30, 1
  %v36 = getelementptr inbounds i64, ptr %words.1, i64 %v35
  %v37 = load i64, ptr %v36
  %v38 = add i64 %i.30, -227
  %v39 = getelementptr inbounds i64, ptr %words.1, i64 %v38
  %v40 = load i64, ptr %v39
  %v41 = call i64 @cogir_mt19937_mix(i64 %v34, i64 %v37, i64 %v40)
  %v42 = getelementptr inbounds i64, ptr %words.1, i64 %i.30
  store i64 %v41, ptr %v42
  %v43 = add i64 %i.30, 1
  br label %b7
b9:
  %v44 = getelementptr inbounds i64, ptr %words.1, i32 623
  %v45 = load i64, ptr %v44
  %v46 = load i64, ptr %words.1
  %v47 = getelementptr inbounds i64, ptr %words.1, i32 396
  %v48 = load i64, ptr %v47
  %v49 = call i64 @cogir_mt19937_mix(i64 %v45, i64 %v46, i64 %v48)
  %v50 = getelementptr inbounds i64, ptr %words.1, i32 623
  store i64 %v49, ptr %v50
  %v51 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 0, ptr %v51
  ret void
}

define internal void @cogir_mt19937_twist_ahead(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  br label %b1
b1:
  %i.2 = phi i64 [ 0, %b0 ], [ %v15, %b2 ]
  %i.3 = phi i64 [ 0, %b0 ], [ %i.2, %b2 ]
  %v4 = icmp slt i64 %i.2, 227
  br i1 %v4, label %b2, label %b3
b2:
  %v5 = getelementptr inbounds i64, ptr %words.1, i64 %i.2
  %v6 = load i64, ptr %v5
  %v7 = add i64 %i.2, 1
  %v8 = getelementptr inbounds i64, ptr %words.1, i64 %v7
  %v9 = load i64, ptr %v8
  %v10 = add i64 %i.2, 397
  %v11 = getelementptr inbounds i64, ptr %words.1, i64 %v10
  %v12 = load i64, ptr %v11
  %v13 = call i64 @cogir_mt19937_mix_ahead(i64 %v6, i64 %v9, i64 %v12)
  %v14 = getelementptr inbounds i64, ptr %words.1, i64 %i.2
  store i64 %v13, ptr %v14
  %v15 = add i64 %i.2, 1
  br label %b1
b3:
  br label %b4
b4:
  %i.16 = phi i64 [ 227, %b3 ], [ %v29, %b5 ]
  %i.17 = phi i64 [ %i.3, %b3 ], [ %i.16, %b5 ]
  %v18 = icmp slt i64 %i.16, 454
  br i1 %v18, label %b5, label %b6
b5:
  %v19 = getelementptr inbounds i64, ptr %words.1, i64 %i.16
  %v20 = load i64, ptr %v19
  %v21 = add i64 %i.16, 1
  %v22 = getelementptr inbounds i64, ptr %words.1, i64 %v21
  %v23 = load i64, ptr %v22
  %v24 = add i64 %i.16, -227
  %v25 = getelementptr inbounds i64, ptr %words.1, i64 %v24
  %v26 = load i64, ptr %v25
  %v27 = call i64 @cogir_mt19937_mix_ahead(i64 %v20, i64 %v23, i64 %v26)
  %v28 = getelementptr inbounds i64, ptr %words.1, i64 %i.16
  store i64 %v27, ptr %v28
  %v29 = add i64 %i.16, 1
  br label %b4
b6:
  br label %b7
b7:
  %i.30 = phi i64 [ 454, %b6 ], [ %v43, %b8 ]
  %i.31 = phi i64 [ %i.17, %b6 ], [ %i.30, %b8 ]
  %v32 = icmp slt i64 %i.30, 623
  br i1 %v32, label %b8, label %b9
b8:
  %v33 = getelementptr inbounds i64, ptr %words.1, i64 %i.30
  %v34 = load i64, ptr %v33
  %v35 = add i64 %i.30, 1
  %v36 = getelementptr inbounds i64, ptr %words.1, i64 %v35
  %v37 = load i64, ptr %v36
  %v38 = add i64 %i.30, -227
  %v39 = getelementptr inbounds i64, ptr %words.1, i64 %v38
  %v40 = load i64, ptr %v39
  %v41 = call i64 @cogir_mt19937_mix_ahead(i64 %v34, i64 %v37, i64 %v40)
  %v42 = getelementptr inbounds i64, ptr %words.1, i64 %i.30
  store i64 %v41, ptr %v42
  %v43 = add i64 %i.30, 1
  br label %b7
b9:
  %v44 = getelementptr inbounds i64, ptr %words.1, i32 623
  %v45 = load i64, ptr %v44
  %v46 = load i64, ptr %words.1
  %v47 = getelementptr inbounds i64, ptr %words.1, i32 396
  %v48 = load i64, ptr %v47
  %v49 = call i64 @cogir_mt19937_mix_ahead(i64 %v45, i64 %v46, i64 %v48)
  %v50 = getelementptr inbounds i64, ptr %words.1, i32 623
  store i64 %v49, ptr %v50
  %v51 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 0, ptr %v51
  ret void
}

define internal double @cogir_mt19937_uniform(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 624
  %position.3 = load i64, ptr %v2
  %v4 = icmp slt i64 %position.3, 623
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = add i64 %position.3, 627
  %v6 = icmp slt i64 %position.3, 0
  %v7 = select i1 %v6, i64 %v5, i64 %position.3
  %v8 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %v9 = call i64 @llvm.smin.i64(i64 %v8, i64 626)
  %v10 = getelementptr inbounds i64, ptr %words.1, i64 %v9
  %v11 = load i64, ptr %v10
  %high.12 = call i64 @cogir_mt19937_temper(i64 %v11)
  %v13 = add i64 %position.3, 1
  %v14 = add i64 %v13, 627
  %v15 = icmp slt i64 %v13, 0
  %v16 = select i1 %v15, i64 %v14, i64 %v13
  %v17 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
  %v18 = call i64 @llvm.smin.i64(i64 %v17, i64 626)
  %v19 = getelementptr inbounds i64, ptr %words.1, i64 %v18
  %v20 = load i64, ptr %v19
  %low.21 = call i64 @cogir_mt19937_temper(i64 %v20)
  %v22 = add i64 %position.3, 2
  %v23 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %v22, ptr %v23
  br label %b3
b2:
  %high.24 = call i64 @cogir_mt19937_next(ptr %words.1)
  %low.25 = call i64 @cogir_mt19937_next(ptr %words.1)
  br label %b3
b3:
  %v26 = phi i64 [ %high.12, %b1 ], [ %high.24, %b2 ]
  %v27 = phi i64 [ %low.21, %b1 ], [ %low.25, %b2 ]
  %v28 = ashr i64 %v26, 5
  %v29 = sitofp i64 %v28 to double
  %v30 = fmul double %v29, 0x4190000000000000
  %v31 = ashr i64 %v27, 6
  %v32 = sitofp i64 %v31 to double
  %v33 = fadd double %v30, %v32
  %v34 = fmul double %v33, 0x3CA0000000000000
  ret double %v34
}

define internal double @cogir_mt19937_uniform_ahead(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 624
  %position.3 = load i64, ptr %v2
  %v4 = icmp slt i64 %position.3, 623
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = add i64 %position.3, 688
  %v6 = icmp slt i64 %position.3, 0
  %v7 = select i1 %v6, i64 %v5, i64 %position.3
  %v8 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %v9 = call i64 @llvm.smin.i64(i64 %v8, i64 687)
  %v10 = getelementptr inbounds i64, ptr %words.1, i64 %v9
  %v11 = load i64, ptr %v10
  %high.12 = call i64 @cogir_mt19937_temper_ahead(i64 %v11)
  %v13 = add i64 %position.3, 1
  %v14 = add i64 %v13, 688
  %v15 = icmp slt i64 %v13, 0
  %v16 = select i1 %v15, i64 %v14, i64 %v13
  %v17 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
  %v18 = call i64 @llvm.smin.i64(i64 %v17, i64 687)
  %v19 = getelementptr inbounds i64, ptr %words.1, i64 %v18
  %v20 = load i64, ptr %v19
  %low.21 = call i64 @cogir_mt19937_temper_ahead(i64 %v20)
  %v22 = add i64 %position.3, 2
  %v23 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %v22, ptr %v23
  br label %b3
b2:
  %high.24 = call i64 @cogir_mt19937_next_ahead(ptr %words.1)
  %low.25 = call i64 @cogir_mt19937_next_ahead(ptr %words.1)
  br label %b3
b3:
  %v26 = phi i64 [ %high.12, %b1 ], [ %high.24, %b2 ]
  %v27 = phi i64 [ %low.21, %b1 ], [ %low.25, %b2 ]
  %v28 = ashr i64 %v26, 5
  %v29 = sitofp i64 %v28 to double
  %v30 = fmul double %v29, 0x4190000000000000
  %v31 = ashr i64 %v27, 6
  %v32 = sitofp i64 %v31 to double
  %v33 = fadd double %v30, %v32
  %v34 = fmul double %v33, 0x3CA0000000000000
  ret double %v34
}

define internal double @cogir_multiply_add_fused(double noundef %a.1, double noundef %b.2, double noundef %c.3) nounwind alwaysinline {
b0:
  %v4 = call double @llvm.fma.f64(double %a.1, double %b.2, double %c.3)
  ret double %v4
}

define internal double @cogir_multiply_add_separate(double noundef %a.1, double noundef %b.2, double noundef %c.3) nounwind alwaysinline {
b0:
  %v4 = fmul double %a.1, %b.2
  %v5 = fadd double %v4, %c.3
  ret double %v5
}

define internal { double, double } @cogir_normals_of(double noundef %x.1, double noundef %y.2, double noundef %square.3) nounwind alwaysinline {
b0:
  %v4 = call double @cogir_c_log(double %square.3)
  %v5 = fmul double 0xC000000000000000, %v4
  %v6 = fdiv double %v5, %square.3
  %factor.7 = call double @llvm.sqrt.f64(double %v6)
  %v8 = fmul double %factor.7, %y.2
  %v9 = fmul double %factor.7, %x.1
  %v10 = insertvalue { double, double } poison, double %v8, 0
  %v11 = insertvalue { double, double } %v10, double %v9, 1
  ret { double, double } %v11
}

define internal { double, double } @cogir_normals_of_ahead(double noundef %x.1, double noundef %y.2, double noundef %square.3) nounwind alwaysinline {
b0:
  %v4 = call double @cogir_c_log(double %square.3)
  %v5 = fmul double 0xC000000000000000, %v4
  %v6 = fdiv double %v5, %square.3
  %factor.7 = call double @llvm.sqrt.f64(double %v6)
  %v8 = fmul double %factor.7, %y.2
  %v9 = fmul double %factor.7, %x.1
  %v10 = insertvalue { double, double } poison, double %v8, 0
  %v11 = insertvalue { double, double } %v10, double %v9, 1
  ret { double, double } %v11
}

define internal i64 @cogir_order_of(i64 noundef %whole.1, double noundef %number.2) nounwind alwaysinline {
b0:
  %nearest.3 = sitofp i64 %whole.1 to double
  %v4 = call double @llvm.fabs.f64(double %number.2)
  %v5 = fcmp olt double %v4, 0x43E0000000000000
  %v6 = select i1 %v5, double %number.2, double 0x0000000000000000
  %v7 = fptosi double %v6 to i64
  %exact.8 = select i1 %v5, i64 %v7, i64 -9223372036854775808
  %v9 = icmp sgt i64 %whole.1, %exact.8
  %after.10 = select i1 %v9, i64 1, i64 0
  %v11 = icmp slt i64 %whole.1, %exact.8
  %v12 = fcmp oge double %number.2, 0x43E0000000000000
  %v13 = or i1 %v11, %v12
  %tied.14 = select i1 %v13, i64 -1, i64 %after.10
  %v15 = fcmp ogt double %nearest.3, %number.2
  %unequal.16 = select i1 %v15, i64 1, i64 2
  %v17 = fcmp olt double %nearest.3, %number.2
  %apart.18 = select i1 %v17, i64 -1, i64 %unequal.16
  %v19 = fcmp oeq double %nearest.3, %number.2
  %v20 = select i1 %v19, i64 %tied.14, i64 %apart.18
  ret i64 %v20
}

define internal { double, double } @cogir_pair_product(double noundef %a.1, double noundef %a_low.2, double noundef %b.3, double noundef %b_low.4) nounwind alwaysinline {
b0:
  %high.5 = fmul double %a.1, %b.3
  %v6 = fneg double %high.5
  %v7 = call double @llvm.fma.f64(double %a.1, double %b.3, double %v6)
  %v8 = fmul double %a_low.2, %b.3
  %v9 = call double @llvm.fma.f64(double %a.1, double %b_low.4, double %v8)
  %v10 = fadd double %v7, %v9
  %v11 = insertvalue { double, double } poison, double %high.5, 0
  %v12 = insertvalue { double, double } %v11, double %v10, 1
  ret { double, double } %v12
}

define internal { <2 x double>, <2 x double> } @cogir_pair_product_v2(<2 x double> noundef %a.1, <2 x double> noundef %a_low.2, <2 x double> noundef %b.3, <2 x double> noundef %b_low.4) nounwind alwaysinline {
b0:
  %high.5 = fmul <2 x double> %a.1, %b.3
  %v6 = fneg <2 x double> %high.5
  %v7 = call <2 x double> @llvm.fma.v2f64(<2 x double> %a.1, <2 x double> %b.3, <2 x double> %v6)
  %v8 = fmul <2 x double> %a_low.2, %b.3
  %v9 = call <2 x double> @llvm.fma.v2f64(<2 x double> %a.1, <2 x double> %b_low.4, <2 x double> %v8)
  %v10 = fadd <2 x double> %v7, %v9
  %v11 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.5, 0
  %v12 = insertvalue { <2 x double>, <2 x double> } %v11, <2 x double> %v10, 1
  ret { <2 x double>, <2 x double> } %v12
}

define internal { double, double } @cogir_pair_quotient(double noundef %a.1, double noundef %a_low.2, double noundef %b.3, double noundef %b_low.4) nounwind alwaysinline {
b0:
  %inverse.5 = fdiv double 0x3FF0000000000000, %b.3
  %high.6 = fmul double %a.1, %inverse.5
  %v7 = fneg double %high.6
  %v8 = call double @llvm.fma.f64(double %v7, double %b.3, double %a.1)
  %v9 = fneg double %high.6
  %v10 = call double @llvm.fma.f64(double %v9, double %b_low.4, double %a_low.2)
  %v11 = fadd double %v8, %v10
  %v12 = fmul double %v11, %inverse.5
  %v13 = insertvalue { double, double } poison, double %high.6, 0
  %v14 = insertvalue { double, double } %v13, double %v12, 1
  ret { double, double } %v14
}

define internal { <2 x double>, <2 x double> } @cogir_pair_quotient_v2(<2 x double> noundef %a.1, <2 x double> noundef %a_low.2, <2 x double> noundef %b.3, <2 x double> noundef %b_low.4) nounwind alwaysinline {
b0:
  %inverse.5 = fdiv <2 x double> splat (double 0x3FF0000000000000), %b.3
  %high.6 = fmul <2 x double> %a.1, %inverse.5
  %v7 = fneg <2 x double> %high.6
  %v8 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v7, <2 x double> %b.3, <2 x double> %a.1)
  %v9 = fneg <2 x double> %high.6
  %v10 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v9, <2 x double> %b_low.4, <2 x double> %a_low.2)
  %v11 = fadd <2 x double> %v8, %v10
  %v12 = fmul <2 x double> %v11, %inverse.5
  %v13 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.6, 0
  %v14 = insertvalue { <2 x double>, <2 x double> } %v13, <2 x double> %v12, 1
  ret { <2 x double>, <2 x double> } %v14
}

define internal double @cogir_philox4x64_exponential(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  br label %b1
b1:
  %value.2 = phi double [ 0x0000000000000000, %b0 ], [ %v61, %b8 ]
  %waiting.3 = phi i1 [ true, %b0 ], [ %v62, %b8 ]
  br i1 %waiting.3, label %b2, label %b9
b2:
  %bits.4 = call i64 @cogir_philox4x64_next(ptr %words.1)
  %v5 = lshr i64 %bits.4, 3
  %layer.6 = and i64 %v5, 255
  %distance.7 = lshr i64 %bits.4, 11
  %v8 = sitofp i64 %distance.7 to double
  %v9 = add i64 %layer.6, 256
  %v10 = icmp slt i64 %layer.6, 0
  %v11 = select i1 %v10, i64 %v9, i64 %layer.6
  %v12 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %v13 = call i64 @llvm.smin.i64(i64 %v12, i64 255)
  %v14 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_gamma_constant_0, i64 %v13
  %v15 = load double, ptr %v14
  %value.16 = fmul double %v8, %v15
  %v17 = add i64 %layer.6, 256
  %v18 = icmp slt i64 %layer.6, 0
  %v19 = select i1 %v18, i64 %v17, i64 %layer.6
  %v20 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %v21 = call i64 @llvm.smin.i64(i64 %v20, i64 255)
  %v22 = getelementptr inbounds i64, ptr @cogir_rng_philox4x64_gamma_constant_1, i64 %v21
  %v23 = load i64, ptr %v22
  %v24 = icmp slt i64 %distance.7, %v23
  br i1 %v24, label %b3, label %b4
b3:
  br label %b8
b4:
  %u.25 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v26 = icmp eq i64 %layer.6, 0
  br i1 %v26, label %b5, label %b6
b5:
  %v27 = fneg double %u.25
  %v28 = call double @log1p(double %v27) nobuiltin
  %value.29 = fsub double 0x401EC9D9297EBB83, %v28
  br label %b7
b6:
  %v30 = sub i64 %layer.6, 1
  %v31 = add i64 %v30, 256
  %v32 = icmp slt i64 %v30, 0
  %v33 = select i1 %v32, i64 %v31, i64 %v30
  %v34 = call i64 @llvm.smax.i64(i64 %v33, i64 0)
  %v35 = call i64 @llvm.smin.i64(i64 %v34, i64 255)
  %v36 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_gamma_constant_2, i64 %v35
  %v37 = load double, ptr %v36
  %v38 = add i64 %layer.6, 256
  %v39 = icmp slt i64 %layer.6, 0
  %v40 = select i1 %v39, i64 %v38, i64 %layer.6
  %v41 = call i64 @llvm.smax.i64(i64 %v40, i64 0)
  %v42 = call i64 @llvm.smin.i64(i64 %v41, i64 255)
  %v43 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_gamma_constant_2, i64 %v42
  %v44 = load double, ptr %v43
  %v45 = fsub double %v37, %v44
  %v46 = fmul double %v45, %u.25
  %v47 = add i64 %layer.6, 256
  %v48 = icmp slt i64 %layer.6, 0
  %v49 = select i1 %v48, i64 %v47, i64 %layer.6
  %v50 = call i64 @llvm.smax.i64(i64 %v49, i64 0)
  %v51 = call i64 @llvm.smin.i64(i64 %v50, i64 255)
  %v52 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_gamma_constant_2, i64 %v51
  %v53 = load double, ptr %v52
  %height.54 = fadd double %v46, %v53
  %v55 = fneg double %value.16
  %v56 = call double @exp(double %v55) nobuiltin
  %v57 = fcmp olt double %height.54, %v56
  %waiting.58 = xor i1 %v57, true
  br label %b7
b7:
  %v59 = phi double [ %value.29, %b5 ], [ %value.16, %b6 ]
  %v60 = phi i1 [ false, %b5 ], [ %waiting.58, %b6 ]
  br label %b8
b8:
  %v61 = phi double [ %value.16, %b3 ], [ %v59, %b7 ]
  %v62 = phi i1 [ false, %b3 ], [ %v60, %b7 ]
  br label %b1
b9:
  ret double %value.2
}

define internal i64 @cogir_philox4x64_first(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  call void @cogir_philox4x64_refill(ptr %words.1)
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 10
  store i64 1, ptr %v2
  %v3 = getelementptr inbounds i64, ptr %words.1, i32 6
  %v4 = load i64, ptr %v3
  ret i64 %v4
}

define internal double @cogir_philox4x64_gamma(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, double noundef %shape.2) nounwind alwaysinline {
b0:
  %v3 = fcmp oeq double %shape.2, 0x3FF0000000000000
  br i1 %v3, label %b1, label %b2
b1:
  %value.4 = call double @cogir_philox4x64_exponential(ptr %words.1)
  br label %b30
b2:
  %v5 = fcmp oeq double %shape.2, 0x0000000000000000
  br i1 %v5, label %b3, label %b4
b3:
  br label %b29
b4:
  %v6 = fcmp ogt double %shape.2, 0x0000000000000000
  %v7 = fcmp olt double %shape.2, 0x3FF0000000000000
  %v8 = and i1 %v6, %v7
  br i1 %v8, label %b5, label %b12
b5:
  br label %b6
b6:
  %value.9 = phi double [ 0x7FF8000000000000, %b5 ], [ %v31, %b10 ]
  %waiting.10 = phi i1 [ true, %b5 ], [ %v32, %b10 ]
  br i1 %waiting.10, label %b7, label %b11
b7:
  %u.11 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v.12 = call double @cogir_philox4x64_exponential(ptr %words.1)
  %v13 = fsub double 0x3FF0000000000000, %shape.2
  %v14 = fcmp ole double %u.11, %v13
  br i1 %v14, label %b8, label %b9
b8:
  %y.15 = fdiv double 0x3FF0000000000000, %shape.2
  %value.16 = call double @pow(double %u.11, double %y.15) nobuiltin
  %v17 = fcmp ole double %value.16, %v.12
  %waiting.18 = xor i1 %v17, true
  br label %b10
b9:
  %v19 = fsub double 0x3FF0000000000000, %u.11
  %x.20 = fdiv double %v19, %shape.2
  %v21 = call double @log(double %x.20) nobuiltin
  %y.22 = fneg double %v21
  %v23 = fsub double 0x3FF0000000000000, %shape.2
  %v24 = fmul double %shape.2, %y.22
  %x.25 = fadd double %v23, %v24
  %y.26 = fdiv double 0x3FF0000000000000, %shape.2
  %value.27 = call double @pow(double %x.25, double %y.26) nobuiltin
  %v28 = fadd double %v.12, %y.22
  %v29 = fcmp ole double %value.27, %v28
  %waiting.30 = xor i1 %v29, true
  br label %b10
b10:
  %v31 = phi double [ %value.16, %b8 ], [ %value.27, %b9 ]
  %v32 = phi i1 [ %waiting.18, %b8 ], [ %waiting.30, %b9 ]
  br label %b6
b11:
  br label %b28
b12:
  %v33 = fcmp ogt double %shape.2, 0x3FF0000000000000
  br i1 %v33, label %b13, label %b26
b13:
  %b.34 = fsub double %shape.2, 0x3FD5555555555555
  %v35 = fmul double 0x4022000000000000, %b.34
  %v36 = call double @llvm.sqrt.f64(double %v35)
  %c.37 = fdiv double 0x3FF0000000000000, %v36
  br label %b14
b14:
  %value.38 = phi double [ 0x7FF8000000000000, %b13 ], [ %value.49, %b24 ]
  %waiting.39 = phi i1 [ true, %b13 ], [ %v66, %b24 ]
  br i1 %waiting.39, label %b15, label %b25
b15:
  br label %b16
b16:
  %x.40 = phi double [ 0x0000000000000000, %b15 ], [ %x.43, %b17 ]
  %v.41 = phi double [ 0x0000000000000000, %b15 ], [ %v.45, %b17 ]
  %v42 = fcmp ole double %v.41, 0x0000000000000000
  br i1 %v42, label %b17, label %b18
b17:
  %x.43 = call double @cogir_philox4x64_normal(ptr %words.1)
  %v44 = fmul double %c.37, %x.43
  %v.45 = fadd double 0x3FF0000000000000, %v44
  br label %b16
b18:
  %v46 = fmul double %v.41, %v.41
  %v.47 = fmul double %v46, %v.41
  %u.48 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %value.49 = fmul double %b.34, %v.47
  %v50 = fmul double %x.40, %x.40
  %v51 = fmul double 0x3FA0F27BB2FEC56D, %v50
  %v52 = fmul double %x.40, %x.40
  %v53 = fmul double %v51, %v52
  %v54 = fsub double 0x3FF0000000000000, %v53
  %v55 = fcmp olt double %u.48, %v54
  br i1 %v55, label %b19, label %b20
b19:
  br label %b21
b20:
  %v56 = call double @log(double %u.48) nobuiltin
  %v57 = fmul double 0x3FE0000000000000, %x.40
  %v58 = fmul double %v57, %x.40
  %v59 = fsub double 0x3FF0000000000000, %v.47
  %v60 = call double @log(double %v.47) nobuiltin
  %v61 = fadd double %v59, %v60
  %v62 = fmul double %b.34, %v61
  %v63 = fadd double %v58, %v62
  %v64 = fcmp olt double %v56, %v63
  br label %b21
b21:
  %v65 = phi i1 [ %v55, %b19 ], [ %v64, %b20 ]
  br i1 %v65, label %b22, label %b23
b22:
  br label %b24
b23:
  br label %b24
b24:
  %v66 = phi i1 [ false, %b22 ], [ %waiting.39, %b23 ]
  br label %b14
b25:
  br label %b27
b26:
  br label %b27
b27:
  %v67 = phi double [ %value.38, %b25 ], [ 0x7FF8000000000000, %b26 ]
  br label %b28
b28:
  %v68 = phi double [ %value.9, %b11 ], [ %v67, %b27 ]
  br label %b29
b29:
  %v69 = phi double [ 0x0000000000000000, %b3 ], [ %v68, %b28 ]
  br label %b30
b30:
  %v70 = phi double [ %value.4, %b1 ], [ %v69, %b29 ]
  ret double %v70
}

define internal i64 @cogir_philox4x64_next(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 10
  %v3 = load i64, ptr %v2
  %v4 = icmp sge i64 %v3, 4
  br i1 %v4, label %b1, label %b2
b1:
  call void @cogir_philox4x64_refill(ptr %words.1)
  br label %b3
b2:
  br label %b3
b3:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 10
  %position.6 = load i64, ptr %v5
  %v7 = add i64 %position.6, 1
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 10
  store i64 %v7, ptr %v8
  %v9 = add i64 6, %position.6
  %v10 = add i64 %v9, 13
  %v11 = icmp slt i64 %v9, 0
  %v12 = select i1 %v11, i64 %v10, i64 %v9
  %v13 = call i64 @llvm.smax.i64(i64 %v12, i64 0)
  %v14 = call i64 @llvm.smin.i64(i64 %v13, i64 12)
  %v15 = getelementptr inbounds i64, ptr %words.1, i64 %v14
  %v16 = load i64, ptr %v15
  ret i64 %v16
}

define internal i64 @cogir_philox4x64_next_half(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 11
  %v3 = load i64, ptr %v2
  %v4 = icmp ne i64 %v3, 0
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 11
  store i64 0, ptr %v5
  %v6 = getelementptr inbounds i64, ptr %words.1, i32 12
  %v7 = load i64, ptr %v6
  br label %b3
b2:
  %bits.8 = call i64 @cogir_philox4x64_next(ptr %words.1)
  %v9 = getelementptr inbounds i64, ptr %words.1, i32 11
  store i64 1, ptr %v9
  %v10 = lshr i64 %bits.8, 32
  %v11 = getelementptr inbounds i64, ptr %words.1, i32 12
  store i64 %v10, ptr %v11
  %v12 = and i64 %bits.8, 4294967295
  br label %b3
b3:
  %v13 = phi i64 [ %v7, %b1 ], [ %v12, %b2 ]
  ret i64 %v13
}

define internal double @cogir_philox4x64_normal(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 10
  %position.3 = load i64, ptr %v2
  %v4 = and i64 %position.3, 3
  %v5 = add i64 6, %v4
  %v6 = add i64 %v5, 13
  %v7 = icmp slt i64 %v5, 0
  %v8 = select i1 %v7, i64 %v6, i64 %v5
  %v9 = call i64 @llvm.smax.i64(i64 %v8, i64 0)
  %v10 = call i64 @llvm.smin.i64(i64 %v9, i64 12)
  %v11 = getelementptr inbounds i64, ptr %words.1, i64 %v10
  %bits.12 = load i64, ptr %v11
  %v13 = add i64 %position.3, 1
  %v14 = getelementptr inbounds i64, ptr %words.1, i32 10
  store i64 %v13, ptr %v14
  %v15 = icmp sge i64 %position.3, 4
  br i1 %v15, label %b1, label %b2
b1:
  %bits.16 = call i64 @cogir_philox4x64_first(ptr %words.1)
  br label %b3
b2:
  br label %b3
b3:
  %v17 = phi i64 [ %bits.16, %b1 ], [ %bits.12, %b2 ]
  %layer.18 = and i64 %v17, 255
  %v19 = lshr i64 %v17, 9
  %distance.20 = and i64 %v19, 4503599627370495
  %v21 = sitofp i64 %distance.20 to double
  %v22 = add i64 %layer.18, 256
  %v23 = icmp slt i64 %layer.18, 0
  %v24 = select i1 %v23, i64 %v22, i64 %layer.18
  %v25 = call i64 @llvm.smax.i64(i64 %v24, i64 0)
  %v26 = call i64 @llvm.smin.i64(i64 %v25, i64 255)
  %v27 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_gamma_constant_3, i64 %v26
  %v28 = load double, ptr %v27
  %v29 = fmul double %v21, %v28
  %v30 = bitcast double %v29 to i64
  %v31 = and i64 %v17, 256
  %v32 = shl i64 %v31, 55
  %v33 = or i64 %v30, %v32
  %value.34 = bitcast i64 %v33 to double
  %v35 = add i64 %layer.18, 256
  %v36 = icmp slt i64 %layer.18, 0
  %v37 = select i1 %v36, i64 %v35, i64 %layer.18
  %v38 = call i64 @llvm.smax.i64(i64 %v37, i64 0)
  %v39 = call i64 @llvm.smin.i64(i64 %v38, i64 255)
  %v40 = getelementptr inbounds i64, ptr @cogir_rng_philox4x64_gamma_constant_4, i64 %v39
  %v41 = load i64, ptr %v40
  %v42 = icmp sge i64 %distance.20, %v41
  br i1 %v42, label %b4, label %b5
b4:
  %value.43 = call double @cogir_philox4x64_outside(ptr %words.1, i64 %v17)
  br label %b6
b5:
  br label %b6
b6:
  %v44 = phi double [ %value.43, %b4 ], [ %value.34, %b5 ]
  ret double %v44
}

define internal double @cogir_philox4x64_outside(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, i64 noundef %bits.2) nounwind noinline {
b0:
  br label %b1
b1:
  %value.3 = phi double [ 0x0000000000000000, %b0 ], [ %v75, %b11 ]
  %searching.4 = phi i1 [ true, %b0 ], [ %v76, %b11 ]
  %bits.5 = phi i64 [ %bits.2, %b0 ], [ %v74, %b11 ]
  br i1 %searching.4, label %b2, label %b12
b2:
  %layer.6 = and i64 %bits.5, 255
  %v7 = lshr i64 %bits.5, 8
  %sign.8 = and i64 %v7, 1
  %v9 = lshr i64 %bits.5, 9
  %distance.10 = and i64 %v9, 4503599627370495
  %v11 = sitofp i64 %distance.10 to double
  %v12 = add i64 %layer.6, 256
  %v13 = icmp slt i64 %layer.6, 0
  %v14 = select i1 %v13, i64 %v12, i64 %layer.6
  %v15 = call i64 @llvm.smax.i64(i64 %v14, i64 0)
  %v16 = call i64 @llvm.smin.i64(i64 %v15, i64 255)
  %v17 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_normal_constant_0, i64 %v16
  %v18 = load double, ptr %v17
  %x.19 = fmul double %v11, %v18
  %v20 = icmp eq i64 %sign.8, 1
  %v21 = fneg double %x.19
  %value.22 = select i1 %v20, double %v21, double %x.19
  %v23 = add i64 %layer.6, 256
  %v24 = icmp slt i64 %layer.6, 0
  %v25 = select i1 %v24, i64 %v23, i64 %layer.6
  %v26 = call i64 @llvm.smax.i64(i64 %v25, i64 0)
  %v27 = call i64 @llvm.smin.i64(i64 %v26, i64 255)
  %v28 = getelementptr inbounds i64, ptr @cogir_rng_philox4x64_normal_constant_1, i64 %v27
  %v29 = load i64, ptr %v28
  %v30 = icmp slt i64 %distance.10, %v29
  br i1 %v30, label %b3, label %b4
b3:
  br label %b11
b4:
  %v31 = icmp eq i64 %layer.6, 0
  br i1 %v31, label %b5, label %b6
b5:
  %beyond.32 = call double @cogir_philox4x64_tail(ptr %words.1)
  %beyond.33 = fadd double 0x400D3BB48209AD33, %beyond.32
  %v34 = ashr i64 %distance.10, 8
  %v35 = and i64 %v34, 1
  %v36 = icmp eq i64 %v35, 1
  %v37 = fneg double %beyond.33
  %value.38 = select i1 %v36, double %v37, double %beyond.33
  br label %b10
b6:
  %u.39 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v40 = sub i64 %layer.6, 1
  %v41 = add i64 %v40, 256
  %v42 = icmp slt i64 %v40, 0
  %v43 = select i1 %v42, i64 %v41, i64 %v40
  %v44 = call i64 @llvm.smax.i64(i64 %v43, i64 0)
  %v45 = call i64 @llvm.smin.i64(i64 %v44, i64 255)
  %v46 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_normal_constant_2, i64 %v45
  %v47 = load double, ptr %v46
  %v48 = add i64 %layer.6, 256
  %v49 = icmp slt i64 %layer.6, 0
  %v50 = select i1 %v49, i64 %v48, i64 %layer.6
  %v51 = call i64 @llvm.smax.i64(i64 %v50, i64 0)
  %v52 = call i64 @llvm.smin.i64(i64 %v51, i64 255)
  %v53 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_normal_constant_2, i64 %v52
  %v54 = load double, ptr %v53
  %v55 = fsub double %v47, %v54
  %v56 = fmul double %v55, %u.39
  %v57 = add i64 %layer.6, 256
  %v58 = icmp slt i64 %layer.6, 0
  %v59 = select i1 %v58, i64 %v57, i64 %layer.6
  %v60 = call i64 @llvm.smax.i64(i64 %v59, i64 0)
  %v61 = call i64 @llvm.smin.i64(i64 %v60, i64 255)
  %v62 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_normal_constant_2, i64 %v61
  %v63 = load double, ptr %v62
  %v64 = fadd double %v56, %v63
  %v65 = fmul double 0xBFE0000000000000, %x.19
  %v66 = fmul double %v65, %x.19
  %v67 = call double @cogir_exp_1(double %v66)
  %searching.68 = fcmp oge double %v64, %v67
  br i1 %searching.68, label %b7, label %b8
b7:
  %bits.69 = call i64 @cogir_philox4x64_next(ptr %words.1)
  br label %b9
b8:
  br label %b9
b9:
  %v70 = phi i64 [ %bits.69, %b7 ], [ %bits.5, %b8 ]
  br label %b10
b10:
  %v71 = phi i64 [ %bits.5, %b5 ], [ %v70, %b9 ]
  %v72 = phi double [ %value.38, %b5 ], [ %value.22, %b9 ]
  %v73 = phi i1 [ false, %b5 ], [ %searching.68, %b9 ]
  br label %b11
b11:
  %v74 = phi i64 [ %bits.5, %b3 ], [ %v71, %b10 ]
  %v75 = phi double [ %value.22, %b3 ], [ %v72, %b10 ]
  %v76 = phi i1 [ false, %b3 ], [ %v73, %b10 ]
  br label %b1
b12:
  ret double %value.3
}

define internal void @cogir_philox4x64_refill(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  br label %b1
b1:
  %i.2 = phi i64 [ 0, %b0 ], [ %v13, %b2 ]
  %carry.3 = phi i64 [ 1, %b0 ], [ %carry.12, %b2 ]
  %v4 = icmp slt i64 %i.2, 4
  br i1 %v4, label %b2, label %b3
b2:
  %v5 = getelementptr inbounds i64, ptr %words.1, i64 %i.2
  %v6 = load i64, ptr %v5
  %v7 = add i64 %v6, %carry.3
  %v8 = getelementptr inbounds i64, ptr %words.1, i64 %i.2
  store i64 %v7, ptr %v8
  %v9 = getelementptr inbounds i64, ptr %words.1, i64 %i.2
  %v10 = load i64, ptr %v9
  %v11 = icmp eq i64 %v10, 0
  %carry.12 = select i1 %v11, i64 %carry.3, i64 0
  %v13 = add i64 %i.2, 1
  br label %b1
b3:
  %c0.14 = load i64, ptr %words.1
  %v15 = getelementptr inbounds i64, ptr %words.1, i32 1
  %c1.16 = load i64, ptr %v15
  %v17 = getelementptr inbounds i64, ptr %words.1, i32 2
  %c2.18 = load i64, ptr %v17
  %v19 = getelementptr inbounds i64, ptr %words.1, i32 3
  %c3.20 = load i64, ptr %v19
  %v21 = getelementptr inbounds i64, ptr %words.1, i32 4
  %key0.22 = load i64, ptr %v21
  %v23 = getelementptr inbounds i64, ptr %words.1, i32 5
  %key1.24 = load i64, ptr %v23
  br label %b4
b4:
  %i.25 = phi i64 [ 0, %b3 ], [ %v67, %b5 ]
  %c0.26 = phi i64 [ %c0.14, %b3 ], [ %c0.62, %b5 ]
  %c1.27 = phi i64 [ %c1.16, %b3 ], [ %low1.59, %b5 ]
  %c2.28 = phi i64 [ %c2.18, %b3 ], [ %c2.64, %b5 ]
  %c3.29 = phi i64 [ %c3.20, %b3 ], [ %low0.45, %b5 ]
  %key0.30 = phi i64 [ %key0.22, %b3 ], [ %key0.65, %b5 ]
  %key1.31 = phi i64 [ %key1.24, %b3 ], [ %key1.66, %b5 ]
  %v32 = icmp slt i64 %i.25, 10
  br i1 %v32, label %b5, label %b6
b5:
  %v33 = zext i64 -3249550476889527149 to i128
  %v34 = zext i64 %c0.26 to i128
  %v35 = mul i128 %v33, %v34
  %v36 = zext i64 64 to i128
  %v37 = lshr i128 %v35, %v36
  %v38 = trunc i128 %v35 to i64
  %high0.39 = trunc i128 %v37 to i64
  %v40 = zext i64 -3249550476889527149 to i128
  %v41 = zext i64 %c0.26 to i128
  %v42 = mul i128 %v40, %v41
  %v43 = zext i64 64 to i128
  %v44 = lshr i128 %v42, %v43
  %low0.45 = trunc i128 %v42 to i64
  %v46 = trunc i128 %v44 to i64
  %v47 = zext i64 -3865633965929787049 to i128
  %v48 = zext i64 %c2.28 to i128
  %v49 = mul i128 %v47, %v48
  %v50 = zext i64 64 to i128
  %v51 = lshr i128 %v49, %v50
  %v52 = trunc i128 %v49 to i64
  %high1.53 = trunc i128 %v51 to i64
  %v54 = zext i64 -3865633965929787049 to i128
  %v55 = zext i64 %c2.28 to i128
  %v56 = mul i128 %v54, %v55
  %v57 = zext i64 64 to i128
  %v58 = lshr i128 %v56, %v57
  %low1.59 = trunc i128 %v56 to i64
  %v60 = trunc i128 %v58 to i64
  %v61 = xor i64 %high1.53, %c1.27
  %c0.62 = xor i64 %v61, %key0.30
  %v63 = xor i64 %high0.39, %c3.29
  %c2.64 = xor i64 %v63, %key1.31
  %key0.65 = add i64 %key0.30, -7046029254386353131
  %key1.66 = add i64 %key1.31, -4942790177534073029
  %v67 = add i64 %i.25, 1
  br label %b4
b6:
  %v68 = getelementptr inbounds i64, ptr %words.1, i32 6
  store i64 %c0.26, ptr %v68
  %v69 = getelementptr inbounds i64, ptr %words.1, i32 7
  store i64 %c1.27, ptr %v69
  %v70 = getelementptr inbounds i64, ptr %words.1, i32 8
  store i64 %c2.28, ptr %v70
  %v71 = getelementptr inbounds i64, ptr %words.1, i32 9
  store i64 %c3.29, ptr %v71
  %v72 = getelementptr inbounds i64, ptr %words.1, i32 10
  store i64 0, ptr %v72
  ret void
}

define internal void @cogir_philox4x64_start(ptr align 8 dereferenceable(32) nonnull noalias noundef readonly %key.1, ptr align 8 dereferenceable(104) nonnull noalias noundef %v2) nounwind alwaysinline {
b0:
  %v3 = load i64, ptr %key.1
  %v4 = getelementptr inbounds i64, ptr %key.1, i32 1
  %v5 = load i64, ptr %v4
  %v6 = shl i64 %v5, 32
  %v7 = or i64 %v3, %v6
  br label %b1
b1:
  %v8 = phi i64 [ 0, %b0 ], [ %v11, %b2 ]
  %v9 = icmp slt i64 %v8, 13
  br i1 %v9, label %b2, label %b3
b2:
  %v10 = getelementptr inbounds i64, ptr %v2, i64 %v8
  store i64 0, ptr %v10
  %v11 = add i64 %v8, 1
  br label %b1
b3:
  %v12 = getelementptr inbounds i64, ptr %v2, i32 4
  store i64 %v7, ptr %v12
  %v13 = getelementptr inbounds i64, ptr %key.1, i32 2
  %v14 = load i64, ptr %v13
  %v15 = getelementptr inbounds i64, ptr %key.1, i32 3
  %v16 = load i64, ptr %v15
  %v17 = shl i64 %v16, 32
  %v18 = or i64 %v14, %v17
  %v19 = getelementptr inbounds i64, ptr %v2, i32 5
  store i64 %v18, ptr %v19
  %v20 = getelementptr inbounds i64, ptr %v2, i32 10
  store i64 4, ptr %v20
  ret void
}

define internal double @cogir_philox4x64_tail(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  br label %b1
b1:
  %beyond.2 = phi double [ 0x3FF0000000000000, %b0 ], [ %beyond.11, %b2 ]
  %height.3 = phi double [ 0x0000000000000000, %b0 ], [ %height.14, %b2 ]
  %v4 = fadd double %height.3, %height.3
  %v5 = fmul double %beyond.2, %beyond.2
  %v6 = fcmp ole double %v4, %v5
  br i1 %v6, label %b2, label %b3
b2:
  %u.7 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v.8 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v9 = fneg double %u.7
  %v10 = call double @log1p(double %v9) nobuiltin
  %beyond.11 = fmul double 0xBFD183AA6C20E8C1, %v10
  %v12 = fneg double %v.8
  %v13 = call double @log1p(double %v12) nobuiltin
  %height.14 = fneg double %v13
  br label %b1
b3:
  ret double %beyond.2
}

define internal double @cogir_philox4x64_uniform(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %bits.2 = call i64 @cogir_philox4x64_next(ptr %words.1)
  %v3 = lshr i64 %bits.2, 11
  %v4 = sitofp i64 %v3 to double
  %v5 = fmul double %v4, 0x3CA0000000000000
  ret double %v5
}

define internal double @cogir_poly4(double noundef %x.1, double noundef %c0.2, double noundef %c1.3, double noundef %c2.4, double noundef %c3.5) nounwind alwaysinline {
b0:
  %v6 = call double @llvm.fma.f64(double %c3.5, double %x.1, double %c2.4)
  %v7 = fmul double %x.1, %x.1
  %v8 = call double @llvm.fma.f64(double %c1.3, double %x.1, double %c0.2)
  %v9 = call double @llvm.fma.f64(double %v6, double %v7, double %v8)
  ret double %v9
}

define internal <2 x double> @cogir_poly4_v2(<2 x double> noundef %x.1, <2 x double> noundef %c0.2, <2 x double> noundef %c1.3, <2 x double> noundef %c2.4, <2 x double> noundef %c3.5) nounwind alwaysinline {
b0:
  %v6 = call <2 x double> @llvm.fma.v2f64(<2 x double> %c3.5, <2 x double> %x.1, <2 x double> %c2.4)
  %v7 = fmul <2 x double> %x.1, %x.1
  %v8 = call <2 x double> @llvm.fma.v2f64(<2 x double> %c1.3, <2 x double> %x.1, <2 x double> %c0.2)
  %v9 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v6, <2 x double> %v7, <2 x double> %v8)
  ret <2 x double> %v9
}

define internal double @cogir_poly6(double noundef %x.1, double noundef %c0.2, double noundef %c1.3, double noundef %c2.4, double noundef %c3.5, double noundef %c4.6, double noundef %c5.7) nounwind alwaysinline {
b0:
  %x2.8 = fmul double %x.1, %x.1
  %v9 = call double @llvm.fma.f64(double %c5.7, double %x.1, double %c4.6)
  %v10 = fmul double %x2.8, %x2.8
  %v11 = call double @cogir_poly4(double %x.1, double %c0.2, double %c1.3, double %c2.4, double %c3.5)
  %v12 = call double @llvm.fma.f64(double %v9, double %v10, double %v11)
  ret double %v12
}

define internal double @cogir_poly7(double noundef %x.1, double noundef %c0.2, double noundef %c1.3, double noundef %c2.4, double noundef %c3.5, double noundef %c4.6, double noundef %c5.7, double noundef %c6.8) nounwind alwaysinline {
b0:
  %x2.9 = fmul double %x.1, %x.1
  %v10 = call double @llvm.fma.f64(double %c5.7, double %x.1, double %c4.6)
  %v11 = call double @llvm.fma.f64(double %c6.8, double %x2.9, double %v10)
  %v12 = fmul double %x2.9, %x2.9
  %v13 = call double @cogir_poly4(double %x.1, double %c0.2, double %c1.3, double %c2.4, double %c3.5)
  %v14 = call double @llvm.fma.f64(double %v11, double %v12, double %v13)
  ret double %v14
}

define internal double @cogir_poly8(double noundef %x.1, double noundef %c0.2, double noundef %c1.3, double noundef %c2.4, double noundef %c3.5, double noundef %c4.6, double noundef %c5.7, double noundef %c6.8, double noundef %c7.9) nounwind alwaysinline {
b0:
  %x2.10 = fmul double %x.1, %x.1
  %v11 = call double @llvm.fma.f64(double %c3.5, double %x.1, double %c2.4)
  %v12 = call double @llvm.fma.f64(double %c1.3, double %x.1, double %c0.2)
  %low.13 = call double @llvm.fma.f64(double %v11, double %x2.10, double %v12)
  %v14 = call double @llvm.fma.f64(double %c7.9, double %x.1, double %c6.8)
  %v15 = call double @llvm.fma.f64(double %c5.7, double %x.1, double %c4.6)
  %high.16 = call double @llvm.fma.f64(double %v14, double %x2.10, double %v15)
  %v17 = fmul double %x2.10, %x2.10
  %v18 = call double @llvm.fma.f64(double %high.16, double %v17, double %low.13)
  ret double %v18
}

define internal <2 x double> @cogir_poly8_v2(<2 x double> noundef %x.1, <2 x double> noundef %c0.2, <2 x double> noundef %c1.3, <2 x double> noundef %c2.4, <2 x double> noundef %c3.5, <2 x double> noundef %c4.6, <2 x double> noundef %c5.7, <2 x double> noundef %c6.8, <2 x double> noundef %c7.9) nounwind alwaysinline {
b0:
  %x2.10 = fmul <2 x double> %x.1, %x.1
  %v11 = call <2 x double> @llvm.fma.v2f64(<2 x double> %c3.5, <2 x double> %x.1, <2 x double> %c2.4)
  %v12 = call <2 x double> @llvm.fma.v2f64(<2 x double> %c1.3, <2 x double> %x.1, <2 x double> %c0.2)
  %low.13 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v11, <2 x double> %x2.10, <2 x double> %v12)
  %v14 = call <2 x double> @llvm.fma.v2f64(<2 x double> %c7.9, <2 x double> %x.1, <2 x double> %c6.8)
  %v15 = call <2 x double> @llvm.fma.v2f64(<2 x double> %c5.7, <2 x double> %x.1, <2 x double> %c4.6)
  %high.16 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v14, <2 x double> %x2.10, <2 x double> %v15)
  %v17 = fmul <2 x double> %x2.10, %x2.10
  %v18 = call <2 x double> @llvm.fma.v2f64(<2 x double> %high.16, <2 x double> %v17, <2 x double> %low.13)
  ret <2 x double> %v18
}

define internal double @cogir_pow_1(double noundef %x.1, double noundef %y.2) nounwind alwaysinline {
b0:
  %magnitude.3 = call double @llvm.fabs.f64(double %x.1)
  %v4 = call { double, double } @cogir_log_pair(double %magnitude.3)
  %high.5 = extractvalue { double, double } %v4, 0
  %low.6 = extractvalue { double, double } %v4, 1
  %v7 = call { double, double } @cogir_two_product(double %y.2, double %high.5)
  %power.8 = extractvalue { double, double } %v7, 0
  %power_low.9 = extractvalue { double, double } %v7, 1
  %power_low.10 = call double @llvm.fma.f64(double %y.2, double %low.6, double %power_low.9)
  %v11 = call double @llvm.fabs.f64(double %power.8)
  %inside.12 = fcmp olt double %v11, 0x4087700000000000
  %v13 = call double @llvm.copysign.f64(double 0x4087700000000000, double %power.8)
  %v14 = select i1 %inside.12, double %power.8, double %v13
  %v15 = call { i64, double, double } @cogir_reduce_exp(double %v14)
  %k.16 = extractvalue { i64, double, double } %v15, 0
  %r.17 = extractvalue { i64, double, double } %v15, 1
  %r_low.18 = extractvalue { i64, double, double } %v15, 2
  %v19 = select i1 %inside.12, double %power_low.10, double 0x0000000000000000
  %v20 = fadd double %r_low.18, %v19
  %v21 = call { double, double } @cogir_fast_two_sum(double %r.17, double %v20)
  %r.22 = extractvalue { double, double } %v21, 0
  %r_low.23 = extractvalue { double, double } %v21, 1
  %v24 = call double @cogir_exp_reduced(double %r.22, double %r_low.23)
  %value.25 = call double @cogir_scale(double %v24, i64 %k.16)
  %v26 = call double @cogir_power_at_the_edges(double %x.1, double %y.2, double %value.25)
  ret double %v26
}

define internal double @cogir_power_at_the_edges(double noundef %x.1, double noundef %y.2, double noundef %value.3) nounwind alwaysinline {
b0:
  %magnitude.4 = call double @llvm.fabs.f64(double %x.1)
  %v5 = call double @llvm.fabs.f64(double %y.2)
  %endless.6 = fcmp oeq double %v5, 0x7FF0000000000000
  %v7 = fcmp ogt double %magnitude.4, 0x3FF0000000000000
  %v8 = fcmp ogt double %y.2, 0x0000000000000000
  %grows.9 = icmp eq i1 %v7, %v8
  %extreme.10 = select i1 %grows.9, double 0x7FF0000000000000, double 0x0000000000000000
  %v11 = fcmp oeq double %magnitude.4, 0x0000000000000000
  %v12 = fcmp oeq double %magnitude.4, 0x7FF0000000000000
  %v13 = or i1 %v12, %endless.6
  %v14 = or i1 %v11, %v13
  %value.15 = select i1 %v14, double %extreme.10, double %value.3
  %v16 = fcmp une double %x.1, %x.1
  %v17 = fcmp une double %y.2, %y.2
  %v18 = or i1 %v16, %v17
  %value.19 = select i1 %v18, double 0x7FF8000000000000, double %value.15
  %half.20 = fmul double 0x3FE0000000000000, %y.2
  %v21 = call double @llvm.trunc.f64(double %y.2)
  %whole.22 = fcmp oeq double %v21, %y.2
  %v23 = call double @llvm.trunc.f64(double %half.20)
  %halved.24 = fcmp oeq double %v23, %half.20
  %v25 = fcmp olt double %x.1, 0x0000000000000000
  %v26 = fcmp olt double %magnitude.4, 0x7FF0000000000000
  %v27 = xor i1 %whole.22, true
  %v28 = and i1 %v26, %v27
  %v29 = and i1 %v25, %v28
  %value.30 = select i1 %v29, double 0x7FF8000000000000, double %value.19
  %v31 = xor i1 %halved.24, true
  %v32 = and i1 %whole.22, %v31
  %v33 = call double @llvm.copysign.f64(double %value.30, double %x.1)
  %value.34 = select i1 %v32, double %v33, double %value.30
  %v35 = fcmp oeq double %x.1, 0x3FF0000000000000
  %v36 = fcmp oeq double %y.2, 0x0000000000000000
  %v37 = fcmp oeq double %magnitude.4, 0x3FF0000000000000
  %v38 = and i1 %v37, %endless.6
  %v39 = or i1 %v36, %v38
  %v40 = or i1 %v35, %v39
  %v41 = select i1 %v40, double 0x3FF0000000000000, double %value.34
  ret double %v41
}

define internal <2 x double> @cogir_power_at_the_edges_v2(<2 x double> noundef %x.1, <2 x double> noundef %y.2, <2 x double> noundef %value.3) nounwind alwaysinline {
b0:
  %magnitude.4 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %x.1)
  %v5 = call <2 x double> @llvm.fabs.v2f64(<2 x double> %y.2)
  %endless.6 = fcmp oeq <2 x double> %v5, splat (double 0x7FF0000000000000)
  %v7 = fcmp ogt <2 x double> %magnitude.4, splat (double 0x3FF0000000000000)
  %v8 = fcmp ogt <2 x double> %y.2, zeroinitializer
  %grows.9 = icmp eq <2 x i1> %v7, %v8
  %extreme.10 = select <2 x i1> %grows.9, <2 x double> splat (double 0x7FF0000000000000), <2 x double> zeroinitializer
  %v11 = fcmp oeq <2 x double> %magnitude.4, zeroinitializer
  %v12 = fcmp oeq <2 x double> %magnitude.4, splat (double 0x7FF0000000000000)
  %v13 = or <2 x i1> %v12, %endless.6
  %v14 = or <2 x i1> %v11, %v13
  %value.15 = select <2 x i1> %v14, <2 x double> %extreme.10, <2 x double> %value.3
  %v16 = fcmp une <2 x double> %x.1, %x.1
  %v17 = fcmp une <2 x double> %y.2, %y.2
  %v18 = or <2 x i1> %v16, %v17
  %value.19 = select <2 x i1> %v18, <2 x double> splat (double 0x7FF8000000000000), <2 x double> %value.15
  %half.20 = fmul <2 x double> splat (double 0x3FE0000000000000), %y.2
  %v21 = call <2 x double> @llvm.trunc.v2f64(<2 x double> %y.2)
  %whole.22 = fcmp oeq <2 x double> %v21, %y.2
  %v23 = call <2 x double> @llvm.trunc.v2f64(<2 x double> %half.20)
  %halved.24 = fcmp oeq <2 x double> %v23, %half.20
  %v25 = fcmp olt <2 x double> %x.1, zeroinitializer
  %v26 = fcmp olt <2 x double> %magnitude.4, splat (double 0x7FF0000000000000)
  %v27 = xor <2 x i1> %whole.22, splat (i1 true)
  %v28 = and <2 x i1> %v26, %v27
  %v29 = and <2 x i1> %v25, %v28
  %value.30 = select <2 x i1> %v29, <2 x double> splat (double 0x7FF8000000000000), <2 x double> %value.19
  %v31 = xor <2 x i1> %halved.24, splat (i1 true)
  %v32 = and <2 x i1> %whole.22, %v31
  %v33 = call <2 x double> @llvm.copysign.v2f64(<2 x double> %value.30, <2 x double> %x.1)
  %value.34 = select <2 x i1> %v32, <2 x double> %v33, <2 x double> %value.30
  %v35 = fcmp oeq <2 x double> %x.1, splat (double 0x3FF0000000000000)
  %v36 = fcmp oeq <2 x double> %y.2, zeroinitializer
  %v37 = fcmp oeq <2 x double> %magnitude.4, splat (double 0x3FF0000000000000)
  %v38 = and <2 x i1> %v37, %endless.6
  %v39 = or <2 x i1> %v36, %v38
  %v40 = or <2 x i1> %v35, %v39
  %v41 = select <2 x i1> %v40, <2 x double> splat (double 0x3FF0000000000000), <2 x double> %value.34
  ret <2 x double> %v41
}

define internal double @cogir_power_of_two(i64 noundef %k.1) nounwind alwaysinline {
b0:
  %v2 = add i64 %k.1, 1023
  %v3 = shl i64 %v2, 52
  %v4 = bitcast i64 %v3 to double
  ret double %v4
}

define internal <2 x double> @cogir_power_of_two_v2(<2 x i64> noundef %k.1) nounwind alwaysinline {
b0:
  %v2 = add <2 x i64> %k.1, splat (i64 1023)
  %v3 = shl <2 x i64> %v2, splat (i64 52)
  %v4 = bitcast <2 x i64> %v3 to <2 x double>
  ret <2 x double> %v4
}

define internal double @cogir_quadrant_value(i64 noundef %q.1, double noundef %sine.2, double noundef %cosine.3) nounwind alwaysinline {
b0:
  %v4 = and i64 %q.1, 1
  %v5 = icmp eq i64 %v4, 0
  %value.6 = select i1 %v5, double %sine.2, double %cosine.3
  %v7 = and i64 %q.1, 2
  %v8 = icmp eq i64 %v7, 0
  %v9 = fneg double %value.6
  %v10 = select i1 %v8, double %value.6, double %v9
  ret double %v10
}

define internal { i64, double, double } @cogir_reduce_exp(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fmul double %x.1, 0x3FF71547652B82FE
  %v3 = call { double, i64 } @cogir_round_to_integer(double %v2)
  %whole.4 = extractvalue { double, i64 } %v3, 0
  %k.5 = extractvalue { double, i64 } %v3, 1
  %high.6 = call double @llvm.fma.f64(double %whole.4, double 0xBFE62E42FEFA3800, double %x.1)
  %v7 = fmul double %whole.4, 0xBD2EF35793C76730
  %v8 = call { double, double } @cogir_fast_two_sum(double %high.6, double %v7)
  %r.9 = extractvalue { double, double } %v8, 0
  %r_low.10 = extractvalue { double, double } %v8, 1
  %v11 = insertvalue { i64, double, double } poison, i64 %k.5, 0
  %v12 = insertvalue { i64, double, double } %v11, double %r.9, 1
  %v13 = insertvalue { i64, double, double } %v12, double %r_low.10, 2
  ret { i64, double, double } %v13
}

define internal { <2 x i64>, <2 x double>, <2 x double> } @cogir_reduce_exp_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fmul <2 x double> %x.1, splat (double 0x3FF71547652B82FE)
  %v3 = call { <2 x double>, <2 x i64> } @cogir_round_to_integer_v2(<2 x double> %v2)
  %whole.4 = extractvalue { <2 x double>, <2 x i64> } %v3, 0
  %k.5 = extractvalue { <2 x double>, <2 x i64> } %v3, 1
  %high.6 = call <2 x double> @llvm.fma.v2f64(<2 x double> %whole.4, <2 x double> splat (double 0xBFE62E42FEFA3800), <2 x double> %x.1)
  %v7 = fmul <2 x double> %whole.4, splat (double 0xBD2EF35793C76730)
  %v8 = call { <2 x double>, <2 x double> } @cogir_fast_two_sum_v2(<2 x double> %high.6, <2 x double> %v7)
  %r.9 = extractvalue { <2 x double>, <2 x double> } %v8, 0
  %r_low.10 = extractvalue { <2 x double>, <2 x double> } %v8, 1
  %v11 = insertvalue { <2 x i64>, <2 x double>, <2 x double> } poison, <2 x i64> %k.5, 0
  %v12 = insertvalue { <2 x i64>, <2 x double>, <2 x double> } %v11, <2 x double> %r.9, 1
  %v13 = insertvalue { <2 x i64>, <2 x double>, <2 x double> } %v12, <2 x double> %r_low.10, 2
  ret { <2 x i64>, <2 x double>, <2 x double> } %v13
}

define internal { i64, double, double } @cogir_reduce_large(double noundef %x.1) nounwind noinline {
b0:
  %v2 = call double @llvm.fabs.f64(double %x.1)
  %bits.3 = bitcast double %v2 to i64
  %v4 = and i64 %bits.3, 4503599627370495
  %mantissa.5 = or i64 %v4, 4503599627370496
  %v6 = ashr i64 %bits.3, 52
  %exponent.7 = sub i64 %v6, 1075
  %v8 = icmp sgt i64 %exponent.7, 971
  %v9 = select i1 %v8, i64 971, i64 %exponent.7
  %start.10 = add i64 %v9, 62
  %high.11 = call i64 @cogir_window(i64 %start.10)
  %v12 = add i64 %start.10, 64
  %middle.13 = call i64 @cogir_window(i64 %v12)
  %v14 = add i64 %start.10, 128
  %low.15 = call i64 @cogir_window(i64 %v14)
  %v16 = zext i64 %mantissa.5 to i128
  %v17 = zext i64 %low.15 to i128
  %v18 = mul i128 %v16, %v17
  %v19 = zext i64 64 to i128
  %v20 = lshr i128 %v18, %v19
  %v21 = trunc i128 %v18 to i64
  %carried.22 = trunc i128 %v20 to i64
  %v23 = mul i64 %mantissa.5, %middle.13
  %second.24 = add i64 %v23, %carried.22
  %v25 = icmp ult i64 %second.24, %carried.22
  %carry.26 = select i1 %v25, i64 1, i64 0
  %v27 = mul i64 %mantissa.5, %high.11
  %v28 = zext i64 %mantissa.5 to i128
  %v29 = zext i64 %middle.13 to i128
  %v30 = mul i128 %v28, %v29
  %v31 = zext i64 64 to i128
  %v32 = lshr i128 %v30, %v31
  %v33 = trunc i128 %v30 to i64
  %v34 = trunc i128 %v32 to i64
  %v35 = add i64 %v27, %v34
  %first.36 = add i64 %v35, %carry.26
  %third.37 = mul i64 %mantissa.5, %low.15
  %v38 = shl i64 %first.36, 2
  %v39 = lshr i64 %second.24, 62
  %head.40 = or i64 %v38, %v39
  %v41 = shl i64 %second.24, 2
  %v42 = lshr i64 %third.37, 62
  %tail.43 = or i64 %v41, %v42
  %v44 = lshr i64 %first.36, 62
  %v45 = lshr i64 %head.40, 63
  %q.46 = add i64 %v44, %v45
  %v47 = ashr i64 %head.40, 32
  %v48 = sitofp i64 %v47 to double
  %v49 = fmul double %v48, 0x3DF0000000000000
  %v50 = and i64 %head.40, 4294967295
  %v51 = sitofp i64 %v50 to double
  %v52 = fmul double %v51, 0x3BF0000000000000
  %v53 = call { double, double } @cogir_fast_two_sum(double %v49, double %v52)
  %fraction.54 = extractvalue { double, double } %v53, 0
  %fraction_low.55 = extractvalue { double, double } %v53, 1
  %v56 = lshr i64 %tail.43, 32
  %v57 = sitofp i64 %v56 to double
  %rest.58 = fmul double %v57, 0x39F0000000000000
  %v59 = and i64 %tail.43, 4294967295
  %v60 = sitofp i64 %v59 to double
  %v61 = fmul double %v60, 0x37F0000000000000
  %rest.62 = fadd double %rest.58, %v61
  %v63 = fadd double %fraction_low.55, %rest.62
  %v64 = call { double, double } @cogir_two_sum(double %fraction.54, double %v63)
  %fraction.65 = extractvalue { double, double } %v64, 0
  %fraction_low.66 = extractvalue { double, double } %v64, 1
  %v67 = call { double, double } @cogir_pair_product(double %fraction.65, double %fraction_low.66, double 0x3FF921FB54442D18, double 0x3C91A62633145C07)
  %r.68 = extractvalue { double, double } %v67, 0
  %r_low.69 = extractvalue { double, double } %v67, 1
  %negative.70 = fcmp olt double %x.1, 0x0000000000000000
  %v71 = sub i64 0, %q.46
  %v72 = select i1 %negative.70, i64 %v71, i64 %q.46
  %v73 = fneg double %r.68
  %v74 = select i1 %negative.70, double %v73, double %r.68
  %v75 = fneg double %r_low.69
  %v76 = select i1 %negative.70, double %v75, double %r_low.69
  %v77 = insertvalue { i64, double, double } poison, i64 %v72, 0
  %v78 = insertvalue { i64, double, double } %v77, double %v74, 1
  %v79 = insertvalue { i64, double, double } %v78, double %v76, 2
  ret { i64, double, double } %v79
}

define internal { i64, double, double } @cogir_reduce_quadrant(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = call double @llvm.fabs.f64(double %x.1)
  %v3 = fcmp olt double %v2, 0x41A0000000000000
  br i1 %v3, label %b1, label %b2
b1:
  %v4 = call { i64, double, double } @cogir_reduce_small(double %x.1)
  %v5 = extractvalue { i64, double, double } %v4, 0
  %v6 = extractvalue { i64, double, double } %v4, 1
  %v7 = extractvalue { i64, double, double } %v4, 2
  br label %b3
b2:
  %v8 = call { i64, double, double } @cogir_reduce_large(double %x.1)
  %v9 = extractvalue { i64, double, double } %v8, 0
  %v10 = extractvalue { i64, double, double } %v8, 1
  %v11 = extractvalue { i64, double, double } %v8, 2
  br label %b3
b3:
  %v12 = phi i64 [ %v5, %b1 ], [ %v9, %b2 ]
  %v13 = phi double [ %v6, %b1 ], [ %v10, %b2 ]
  %v14 = phi double [ %v7, %b1 ], [ %v11, %b2 ]
  %v15 = insertvalue { i64, double, double } poison, i64 %v12, 0
  %v16 = insertvalue { i64, double, double } %v15, double %v13, 1
  %v17 = insertvalue { i64, double, double } %v16, double %v14, 2
  ret { i64, double, double } %v17
}

define internal { i64, double, double } @cogir_reduce_small(double noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = fmul double %x.1, 0x3FE45F306DC9C883
  %v3 = call { double, i64 } @cogir_round_to_integer(double %v2)
  %whole.4 = extractvalue { double, i64 } %v3, 0
  %q.5 = extractvalue { double, i64 } %v3, 1
  %v6 = fneg double %whole.4
  %first.7 = call double @llvm.fma.f64(double %v6, double 0x3FF921FB54442D18, double %x.1)
  %v8 = call { double, double } @cogir_two_product(double %whole.4, double 0x3C91A62633145C07)
  %product.9 = extractvalue { double, double } %v8, 0
  %product_low.10 = extractvalue { double, double } %v8, 1
  %v11 = fneg double %product.9
  %v12 = call { double, double } @cogir_two_sum(double %first.7, double %v11)
  %second.13 = extractvalue { double, double } %v12, 0
  %second_low.14 = extractvalue { double, double } %v12, 1
  %v15 = call double @llvm.fma.f64(double %whole.4, double 0xB91F1976B7ED8FBC, double %product_low.10)
  %v16 = fsub double %second_low.14, %v15
  %v17 = call { double, double } @cogir_fast_two_sum(double %second.13, double %v16)
  %r.18 = extractvalue { double, double } %v17, 0
  %r_low.19 = extractvalue { double, double } %v17, 1
  %v20 = insertvalue { i64, double, double } poison, i64 %q.5, 0
  %v21 = insertvalue { i64, double, double } %v20, double %r.18, 1
  %v22 = insertvalue { i64, double, double } %v21, double %r_low.19, 2
  ret { i64, double, double } %v22
}

; size 91 12
define internal void @cogir_rng_ahead_back(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 627
  %left.3 = load i64, ptr %v2
  %v4 = icmp sgt i64 %left.3, 0
  br i1 %v4, label %b1, label %b11
b1:
  %v5 = icmp sgt i64 %left.3, 1
  br i1 %v5, label %b2, label %b6
b2:
  %v6 = getelementptr inbounds i64, ptr %words.1, i32 629
  %position.7 = load i64, ptr %v6
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 628
  %v9 = load i64, ptr %v8
  %taken.10 = sub i64 %v9, %left.3
  br label %b3
b3:
  %found.11 = phi i64 [ 0, %b2 ], [ %found.52, %b4 ]
  %position.12 = phi i64 [ %position.7, %b2 ], [ %position.53, %b4 ]
  %v13 = mul i64 2, %found.11
  %v14 = icmp slt i64 %v13, %taken.10
  br i1 %v14, label %b4, label %b5
b4:
  %v15 = add i64 %position.12, 688
  %v16 = icmp slt i64 %position.12, 0
  %v17 = select i1 %v16, i64 %v15, i64 %position.12
  %v18 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %v19 = call i64 @llvm.smin.i64(i64 %v18, i64 687)
  %v20 = getelementptr inbounds i64, ptr %words.1, i64 %v19
  %v21 = load i64, ptr %v20
  %v22 = add i64 %position.12, 1
  %v23 = add i64 %v22, 688
  %v24 = icmp slt i64 %v22, 0
  %v25 = select i1 %v24, i64 %v23, i64 %v22
  %v26 = call i64 @llvm.smax.i64(i64 %v25, i64 0)
  %v27 = call i64 @llvm.smin.i64(i64 %v26, i64 687)
  %v28 = getelementptr inbounds i64, ptr %words.1, i64 %v27
  %v29 = load i64, ptr %v28
  %x.30 = call double @cogir_centred_ahead(i64 %v21, i64 %v29)
  %v31 = add i64 %position.12, 2
  %v32 = add i64 %v31, 688
  %v33 = icmp slt i64 %v31, 0
  %v34 = select i1 %v33, i64 %v32, i64 %v31
  %v35 = call i64 @llvm.smax.i64(i64 %v34, i64 0)
  %v36 = call i64 @llvm.smin.i64(i64 %v35, i64 687)
  %v37 = getelementptr inbounds i64, ptr %words.1, i64 %v36
  %v38 = load i64, ptr %v37
  %v39 = add i64 %position.12, 3
  %v40 = add i64 %v39, 688
  %v41 = icmp slt i64 %v39, 0
  %v42 = select i1 %v41, i64 %v40, i64 %v39
  %v43 = call i64 @llvm.smax.i64(i64 %v42, i64 0)
  %v44 = call i64 @llvm.smin.i64(i64 %v43, i64 687)
  %v45 = getelementptr inbounds i64, ptr %words.1, i64 %v44
  %v46 = load i64, ptr %v45
  %y.47 = call double @cogir_centred_ahead(i64 %v38, i64 %v46)
  %v48 = fmul double %x.30, %x.30
  %v49 = fmul double %y.47, %y.47
  %square.50 = fadd double %v48, %v49
  %v51 = call i64 @cogir_is_accepted_ahead(double %square.50)
  %found.52 = add i64 %found.11, %v51
  %position.53 = add i64 %position.12, 4
  br label %b3
b5:
  %v54 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %position.12, ptr %v54
  br label %b7
b6:
  br label %b7
b7:
  %v55 = and i64 %left.3, 1
  %v56 = icmp eq i64 %v55, 1
  br i1 %v56, label %b8, label %b9
b8:
  %v57 = getelementptr inbounds i64, ptr %words.1, i32 625
  store i64 1, ptr %v57
  %v58 = sub i64 %left.3, 1
  %v59 = and i64 %v58, 31
  %v60 = add i64 630, %v59
  %v61 = add i64 %v60, 688
  %v62 = icmp slt i64 %v60, 0
  %v63 = select i1 %v62, i64 %v61, i64 %v60
  %v64 = call i64 @llvm.smax.i64(i64 %v63, i64 0)
  %v65 = call i64 @llvm.smin.i64(i64 %v64, i64 687)
  %v66 = getelementptr inbounds i64, ptr %words.1, i64 %v65
  %v67 = load i64, ptr %v66
  %v68 = getelementptr inbounds i64, ptr %words.1, i32 626
  store i64 %v67, ptr %v68
  br label %b10
b9:
  br label %b10
b10:
  %v69 = getelementptr inbounds i64, ptr %words.1, i32 627
  store i64 0, ptr %v69
  br label %b12
b11:
  br label %b12
b12:
  ret void
}

; size 128 35
define internal i64 @cogir_rng_ahead_chunk(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1, ptr align 8 dereferenceable(512) nonnull noalias noundef %normals.2) nounwind noinline {
b0:
  %v3 = alloca [32 x double], i64 1, align 64
  %v4 = alloca [32 x double], i64 1, align 64
  %v5 = alloca [32 x i64], i64 1, align 64
  %v6 = getelementptr inbounds i64, ptr %words.1, i32 624
  %v7 = load i64, ptr %v6
  %v8 = icmp sge i64 %v7, 624
  br i1 %v8, label %b1, label %b2
b1:
  call void @cogir_mt19937_twist_ahead(ptr %words.1)
  br label %b3
b2:
  br label %b3
b3:
  %v9 = getelementptr inbounds i64, ptr %words.1, i32 624
  %v10 = load i64, ptr %v9
  %v11 = icmp sgt i64 0, %v10
  %v12 = select i1 %v11, i64 0, i64 %v10
  %v13 = icmp slt i64 624, %v12
  %start.14 = select i1 %v13, i64 624, i64 %v12
  %v15 = sub i64 624, %start.14
  %v16 = ashr i64 %v15, 2
  %v17 = icmp slt i64 %v16, 32
  %pairs.18 = select i1 %v17, i64 %v16, i64 32
  br label %b4
b4:
  %v19 = phi i64 [ 0, %b3 ], [ %v22, %b5 ]
  %v20 = icmp slt i64 %v19, 32
  br i1 %v20, label %b5, label %b6
b5:
  %v21 = getelementptr inbounds double, ptr %v3, i64 %v19
  store double 0x0000000000000000, ptr %v21
  %v22 = add i64 %v19, 1
  br label %b4
b6:
  br label %b7
b7:
  %v23 = phi i64 [ 0, %b6 ], [ %v26, %b8 ]
  %v24 = icmp slt i64 %v23, 32
  br i1 %v24, label %b8, label %b9
b8:
  %v25 = getelementptr inbounds double, ptr %v4, i64 %v23
  store double 0x0000000000000000, ptr %v25
  %v26 = add i64 %v23, 1
  br label %b7
b9:
  br label %b10
b10:
  %v27 = phi i64 [ 0, %b9 ], [ %v30, %b11 ]
  %v28 = icmp slt i64 %v27, 32
  br i1 %v28, label %b11, label %b12
b11:
  %v29 = getelementptr inbounds i64, ptr %v5, i64 %v27
  store i64 0, ptr %v29
  %v30 = add i64 %v27, 1
  br label %b10
b12:
  br label %b13
b13:
  %i.31 = phi i64 [ 0, %b12 ], [ %v85, %b14 ]
  %i.32 = phi i64 [ 0, %b12 ], [ %i.31, %b14 ]
  %place.33 = phi i64 [ 0, %b12 ], [ %place.36, %b14 ]
  %v34 = icmp slt i64 %i.31, 32
  br i1 %v34, label %b14, label %b15
b14:
  %v35 = mul i64 4, %i.31
  %place.36 = add i64 %start.14, %v35
  %v37 = add i64 %place.36, 688
  %v38 = icmp slt i64 %place.36, 0
  %v39 = select i1 %v38, i64 %v37, i64 %place.36
  %v40 = call i64 @llvm.smax.i64(i64 %v39, i64 0)
  %v41 = call i64 @llvm.smin.i64(i64 %v40, i64 687)
  %v42 = getelementptr inbounds i64, ptr %words.1, i64 %v41
  %v43 = load i64, ptr %v42
  %v44 = add i64 %place.36, 1
  %v45 = add i64 %v44, 688
  %v46 = icmp slt i64 %v44, 0
  %v47 = select i1 %v46, i64 %v45, i64 %v44
  %v48 = call i64 @llvm.smax.i64(i64 %v47, i64 0)
  %v49 = call i64 @llvm.smin.i64(i64 %v48, i64 687)
  %v50 = getelementptr inbounds i64, ptr %words.1, i64 %v49
  %v51 = load i64, ptr %v50
  %x.52 = call double @cogir_centred_ahead(i64 %v43, i64 %v51)
  %v53 = add i64 %place.36, 2
  %v54 = add i64 %v53, 688
  %v55 = icmp slt i64 %v53, 0
  %v56 = select i1 %v55, i64 %v54, i64 %v53
  %v57 = call i64 @llvm.smax.i64(i64 %v56, i64 0)
  %v58 = call i64 @llvm.smin.i64(i64 %v57, i64 687)
  %v59 = getelementptr inbounds i64, ptr %words.1, i64 %v58
  %v60 = load i64, ptr %v59
  %v61 = add i64 %place.36, 3
  %v62 = add i64 %v61, 688
  %v63 = icmp slt i64 %v61, 0
  %v64 = select i1 %v63, i64 %v62, i64 %v61
  %v65 = call i64 @llvm.smax.i64(i64 %v64, i64 0)
  %v66 = call i64 @llvm.smin.i64(i64 %v65, i64 687)
  %v67 = getelementptr inbounds i64, ptr %words.1, i64 %v66
  %v68 = load i64, ptr %v67
  %y.69 = call double @cogir_centred_ahead(i64 %v60, i64 %v68)
  %v70 = fmul double %x.52, %x.52
  %v71 = fmul double %y.69, %y.69
  %square.72 = fadd double %v70, %v71
  %v73 = call i64 @cogir_is_accepted_ahead(double %square.72)
  %v74 = icmp slt i64 %i.31, %pairs.18
  %v75 = select i1 %v74, i64 1, i64 0
  %is_one.76 = and i64 %v73, %v75
  %v77 = icmp eq i64 %is_one.76, 1
  %v78 = select i1 %v77, double %square.72, double 0x3FE0000000000000
  %v79 = call { double, double } @cogir_normals_of_ahead(double %x.52, double %y.69, double %v78)
  %v80 = extractvalue { double, double } %v79, 0
  %v81 = extractvalue { double, double } %v79, 1
  %v82 = getelementptr inbounds double, ptr %v3, i64 %i.31
  store double %v80, ptr %v82
  %v83 = getelementptr inbounds double, ptr %v4, i64 %i.31
  store double %v81, ptr %v83
  %v84 = getelementptr inbounds i64, ptr %v5, i64 %i.31
  store i64 %is_one.76, ptr %v84
  %v85 = add i64 %i.31, 1
  br label %b13
b15:
  br label %b16
b16:
  %i.86 = phi i64 [ 0, %b15 ], [ %v114, %b17 ]
  %i.87 = phi i64 [ %i.32, %b15 ], [ %i.86, %b17 ]
  %place.88 = phi i64 [ %place.33, %b15 ], [ %place.91, %b17 ]
  %count.89 = phi i64 [ 0, %b15 ], [ %count.113, %b17 ]
  %v90 = icmp slt i64 %i.86, 32
  br i1 %v90, label %b17, label %b18
b17:
  %place.91 = and i64 %count.89, 31
  %v92 = getelementptr inbounds double, ptr %v3, i64 %i.86
  %v93 = load double, ptr %v92
  %v94 = mul i64 2, %place.91
  %v95 = add i64 %v94, 64
  %v96 = icmp slt i64 %v94, 0
  %v97 = select i1 %v96, i64 %v95, i64 %v94
  %v98 = call i64 @llvm.smax.i64(i64 %v97, i64 0)
  %v99 = call i64 @llvm.smin.i64(i64 %v98, i64 63)
  %v100 = getelementptr inbounds double, ptr %normals.2, i64 %v99
  store double %v93, ptr %v100
  %v101 = getelementptr inbounds double, ptr %v4, i64 %i.86
  %v102 = load double, ptr %v101
  %v103 = mul i64 2, %place.91
  %v104 = add i64 %v103, 1
  %v105 = add i64 %v104, 64
  %v106 = icmp slt i64 %v104, 0
  %v107 = select i1 %v106, i64 %v105, i64 %v104
  %v108 = call i64 @llvm.smax.i64(i64 %v107, i64 0)
  %v109 = call i64 @llvm.smin.i64(i64 %v108, i64 63)
  %v110 = getelementptr inbounds double, ptr %normals.2, i64 %v109
  store double %v102, ptr %v110
  %v111 = getelementptr inbounds i64, ptr %v5, i64 %i.86
  %v112 = load i64, ptr %v111
  %count.113 = add i64 %count.89, %v112
  %v114 = add i64 %i.86, 1
  br label %b16
b18:
  %v115 = mul i64 4, %pairs.18
  %v116 = add i64 %start.14, %v115
  %v117 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %v116, ptr %v117
  %v118 = mul i64 2, %count.89
  ret i64 %v118
}

; size 300 143
define internal double @cogir_rng_ahead_normal(ptr align 8 dereferenceable(5504) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 627
  %left.3 = load i64, ptr %v2
  %v4 = sub i64 %left.3, 1
  %v5 = and i64 %v4, 31
  %v6 = add i64 630, %v5
  %v7 = add i64 %v6, 688
  %v8 = icmp slt i64 %v6, 0
  %v9 = select i1 %v8, i64 %v7, i64 %v6
  %v10 = call i64 @llvm.smax.i64(i64 %v9, i64 0)
  %v11 = call i64 @llvm.smin.i64(i64 %v10, i64 687)
  %v12 = getelementptr inbounds i64, ptr %words.1, i64 %v11
  %v13 = load i64, ptr %v12
  %value.14 = bitcast i64 %v13 to double
  %v15 = icmp sgt i64 %left.3, 0
  br i1 %v15, label %b1, label %b2
b1:
  %v16 = sub i64 %left.3, 1
  %v17 = getelementptr inbounds i64, ptr %words.1, i32 627
  store i64 %v16, ptr %v17
  br label %b3
b2:
  %value.18 = call double @cogir_ahead_first_ahead(ptr %words.1)
  br label %b3
b3:
  %v19 = phi double [ %value.14, %b1 ], [ %value.18, %b2 ]
  ret double %v19
}

; size 1680 656
define internal double @cogir_rng_mt19937_beta(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, double noundef %a.2, double noundef %b.3) nounwind noinline {
b0:
  %v4 = fcmp ogt double %a.2, 0x0000000000000000
  %v5 = fcmp ogt double %b.3, 0x0000000000000000
  %v6 = and i1 %v4, %v5
  br i1 %v6, label %b1, label %b5
b1:
  %v7 = fcmp ole double %a.2, 0x3FF0000000000000
  %v8 = fcmp ole double %b.3, 0x3FF0000000000000
  %v9 = and i1 %v7, %v8
  br i1 %v9, label %b2, label %b3
b2:
  %value.10 = call double @cogir_legacy_beta_of_small(ptr %words.1, double %a.2, double %b.3)
  br label %b4
b3:
  %x.11 = call double @cogir_mt19937_gamma(ptr %words.1, double %a.2)
  %y.12 = call double @cogir_mt19937_gamma(ptr %words.1, double %b.3)
  %v13 = fadd double %x.11, %y.12
  %value.14 = fdiv double %x.11, %v13
  br label %b4
b4:
  %v15 = phi double [ %value.10, %b2 ], [ %value.14, %b3 ]
  br label %b6
b5:
  br label %b6
b6:
  %v16 = phi double [ %v15, %b4 ], [ 0x7FF8000000000000, %b5 ]
  ret double %v16
}

; size 480 184
define internal i64 @cogir_rng_mt19937_binomial(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, i64 noundef %n.2, double noundef %p.3) nounwind noinline {
b0:
  %v4 = icmp sge i64 %n.2, 0
  %v5 = fcmp oge double %p.3, 0x0000000000000000
  %v6 = fcmp ole double %p.3, 0x3FF0000000000000
  %v7 = and i1 %v5, %v6
  %v8 = and i1 %v4, %v7
  br i1 %v8, label %b1, label %b47
b1:
  %v9 = fcmp ole double %p.3, 0x3FE0000000000000
  %v10 = fsub double 0x3FF0000000000000, %p.3
  %small.11 = select i1 %v9, double %p.3, double %v10
  %v12 = sitofp i64 %n.2 to double
  %v13 = fmul double %small.11, %v12
  %v14 = fcmp ole double %v13, 0x403E000000000000
  br i1 %v14, label %b2, label %b9
b2:
  %v15 = fsub double 0x3FF0000000000000, %small.11
  %v16 = call double @log(double %v15) nobuiltin
  %v17 = sitofp i64 %n.2 to double
  %v18 = fmul double %v17, %v16
  %none.19 = call double @exp(double %v18) nobuiltin
  %q.20 = fsub double 0x3FF0000000000000, %small.11
  %v21 = sitofp i64 %n.2 to double
  %mean.22 = fmul double %v21, %small.11
  %v23 = sitofp i64 %n.2 to double
  %v24 = fmul double %mean.22, %q.20
  %v25 = fadd double %v24, 0x3FF0000000000000
  %v26 = call double @llvm.sqrt.f64(double %v25)
  %v27 = fmul double 0x4024000000000000, %v26
  %v28 = fadd double %mean.22, %v27
  %v29 = fcmp olt double %v28, %v23
  %v30 = select i1 %v29, double %v28, double %v23
  %v31 = call double @llvm.fabs.f64(double %v30)
  %v32 = fcmp olt double %v31, 0x43E0000000000000
  %v33 = select i1 %v32, double %v30, double 0x0000000000000000
  %v34 = fptosi double %v33 to i64
  %bound.35 = select i1 %v32, i64 %v34, i64 -9223372036854775808
  %u.36 = call double @cogir_mt19937_uniform(ptr %words.1)
  br label %b3
b3:
  %value.37 = phi i64 [ 0, %b2 ], [ %v53, %b7 ]
  %probability.38 = phi double [ %none.19, %b2 ], [ %v54, %b7 ]
  %u.39 = phi double [ %u.36, %b2 ], [ %v55, %b7 ]
  %v40 = fcmp ogt double %u.39, %probability.38
  br i1 %v40, label %b4, label %b8
b4:
  %value.41 = add i64 %value.37, 1
  %v42 = icmp sgt i64 %value.41, %bound.35
  br i1 %v42, label %b5, label %b6
b5:
  %u.43 = call double @cogir_mt19937_uniform(ptr %words.1)
  br label %b7
b6:
  %u.44 = fsub double %u.39, %probability.38
  %v45 = sub i64 %n.2, %value.41
  %v46 = add i64 %v45, 1
  %v47 = sitofp i64 %v46 to double
  %v48 = fmul double %v47, %small.11
  %v49 = fmul double %v48, %probability.38
  %v50 = sitofp i64 %value.41 to double
  %v51 = fmul double %v50, %q.20
  %probability.52 = fdiv double %v49, %v51
  br label %b7
b7:
  %v53 = phi i64 [ 0, %b5 ], [ %value.41, %b6 ]
  %v54 = phi double [ %none.19, %b5 ], [ %probability.52, %b6 ]
  %v55 = phi double [ %u.43, %b5 ], [ %u.44, %b6 ]
  br label %b3
b8:
  br label %b43
b9:
  %v56 = fsub double 0x3FF0000000000000, %small.11
  %v57 = fcmp olt double %v56, %small.11
  %r.58 = select i1 %v57, double %v56, double %small.11
  %q.59 = fsub double 0x3FF0000000000000, %r.58
  %v60 = sitofp i64 %n.2 to double
  %v61 = fmul double %v60, %r.58
  %fm.62 = fadd double %v61, %r.58
  %v63 = call double @llvm.floor.f64(double %fm.62)
  %v64 = call double @llvm.fabs.f64(double %v63)
  %v65 = fcmp olt double %v64, 0x43E0000000000000
  %v66 = select i1 %v65, double %v63, double 0x0000000000000000
  %v67 = fptosi double %v66 to i64
  %m.68 = select i1 %v65, i64 %v67, i64 -9223372036854775808
  %v69 = sitofp i64 %n.2 to double
  %v70 = fmul double %v69, %r.58
  %v71 = fmul double %v70, %q.59
  %v72 = call double @llvm.sqrt.f64(double %v71)
  %v73 = fmul double 0x40018F5C28F5C28F, %v72
  %v74 = fmul double 0x4012666666666666, %q.59
  %v75 = fsub double %v73, %v74
  %v76 = call double @llvm.floor.f64(double %v75)
  %p1.77 = fadd double %v76, 0x3FE0000000000000
  %v78 = sitofp i64 %m.68 to double
  %xm.79 = fadd double %v78, 0x3FE0000000000000
  %xl.80 = fsub double %xm.79, %p1.77
  %xr.81 = fadd double %xm.79, %p1.77
  %v82 = sitofp i64 %m.68 to double
  %v83 = fadd double 0x402E99999999999A, %v82
  %v84 = fdiv double 0x4034800000000000, %v83
  %c.85 = fadd double 0x3FC126E978D4FDF4, %v84
  %v86 = fsub double %fm.62, %xl.80
  %v87 = fmul double %xl.80, %r.58
  %v88 = fsub double %fm.62, %v87
  %a.89 = fdiv double %v86, %v88
  %v90 = fdiv double %a.89, 0x4000000000000000
  %v91 = fadd double 0x3FF0000000000000, %v90
  %left.92 = fmul double %a.89, %v91
  %v93 = fsub double %xr.81, %fm.62
  %v94 = fmul double %xr.81, %q.59
  %a.95 = fdiv double %v93, %v94
  %v96 = fdiv double %a.95, 0x4000000000000000
  %v97 = fadd double 0x3FF0000000000000, %v96
  %right.98 = fmul double %a.95, %v97
  %v99 = fmul double 0x4000000000000000, %c.85
  %v100 = fadd double 0x3FF0000000000000, %v99
  %p2.101 = fmul double %p1.77, %v100
  %v102 = fdiv double %c.85, %left.92
  %p3.103 = fadd double %p2.101, %v102
  %v104 = fdiv double %c.85, %right.98
  %p4.105 = fadd double %p3.103, %v104
  br label %b10
b10:
  %y.106 = phi i64 [ 0, %b9 ], [ %v285, %b41 ]
  %waiting.107 = phi i1 [ true, %b9 ], [ %v286, %b41 ]
  br i1 %waiting.107, label %b11, label %b42
b11:
  %u.108 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v.109 = call double @cogir_mt19937_uniform(ptr %words.1)
  %u.110 = fmul double %u.108, %p4.105
  %v111 = fcmp ole double %u.110, %p1.77
  br i1 %v111, label %b12, label %b13
b12:
  %v112 = fmul double %p1.77, %v.109
  %v113 = fsub double %xm.79, %v112
  %v114 = fadd double %v113, %u.110
  %v115 = call double @llvm.floor.f64(double %v114)
  %v116 = call double @llvm.fabs.f64(double %v115)
  %v117 = fcmp olt double %v116, 0x43E0000000000000
  %v118 = select i1 %v117, double %v115, double 0x0000000000000000
  %v119 = fptosi double %v118 to i64
  %y.120 = select i1 %v117, i64 %v119, i64 -9223372036854775808
  br label %b41
b13:
  %v121 = fcmp ole double %u.110, %p2.101
  br i1 %v121, label %b14, label %b15
b14:
  %v122 = fsub double %u.110, %p1.77
  %v123 = fdiv double %v122, %c.85
  %x.124 = fadd double %xl.80, %v123
  %v125 = fmul double %v.109, %c.85
  %v126 = fadd double %v125, 0x3FF0000000000000
  %v127 = sitofp i64 %m.68 to double
  %v128 = fsub double %v127, %x.124
  %v129 = fadd double %v128, 0x3FE0000000000000
  %v130 = call double @llvm.fabs.f64(double %v129)
  %v131 = fdiv double %v130, %p1.77
  %v.132 = fsub double %v126, %v131
  %v133 = call double @llvm.floor.f64(double %x.124)
  %v134 = call double @llvm.fabs.f64(double %v133)
  %v135 = fcmp olt double %v134, 0x43E0000000000000
  %v136 = select i1 %v135, double %v133, double 0x0000000000000000
  %v137 = fptosi double %v136 to i64
  %y.138 = select i1 %v135, i64 %v137, i64 -9223372036854775808
  %compared.139 = fcmp ole double %v.132, 0x3FF0000000000000
  br label %b22
b15:
  %v140 = fcmp ogt double %v.109, 0x0000000000000000
  br i1 %v140, label %b16, label %b20
b16:
  %v141 = fcmp ole double %u.110, %p3.103
  br i1 %v141, label %b17, label %b18
b17:
  %v142 = call double @log(double %v.109) nobuiltin
  %v143 = fdiv double %v142, %left.92
  %v144 = fadd double %xl.80, %v143
  %v145 = call double @llvm.floor.f64(double %v144)
  %v146 = call double @llvm.fabs.f64(double %v145)
  %v147 = fcmp olt double %v146, 0x43E0000000000000
  %v148 = select i1 %v147, double %v145, double 0x0000000000000000
  %v149 = fptosi double %v148 to i64
  %y.150 = select i1 %v147, i64 %v149, i64 -9223372036854775808
  %compared.151 = icmp sge i64 %y.150, 0
  %v152 = fsub double %u.110, %p2.101
  %v153 = fmul double %v.109, %v152
  %v.154 = fmul double %v153, %left.92
  br label %b19
b18:
  %v155 = call double @log(double %v.109) nobuiltin
  %v156 = fdiv double %v155, %right.98
  %v157 = fsub double %xr.81, %v156
  %v158 = call double @llvm.floor.f64(double %v157)
  %v159 = call double @llvm.fabs.f64(double %v158)
  %v160 = fcmp olt double %v159, 0x43E0000000000000
  %v161 = select i1 %v160, double %v158, double 0x0000000000000000
  %v162 = fptosi double %v161 to i64
  %y.163 = select i1 %v160, i64 %v162, i64 -9223372036854775808
  %compared.164 = icmp sle i64 %y.163, %n.2
  %v165 = fsub double %u.110, %p3.103
  %v166 = fmul double %v.109, %v165
  %v.167 = fmul double %v166, %right.98
  br label %b19
b19:
  %v168 = phi i64 [ %y.150, %b17 ], [ %y.163, %b18 ]
  %v169 = phi double [ %v.154, %b17 ], [ %v.167, %b18 ]
  %v170 = phi i1 [ %compared.151, %b17 ], [ %compared.164, %b18 ]
  br label %b21
b20:
  br label %b21
b21:
  %v171 = phi i64 [ %v168, %b19 ], [ %y.106, %b20 ]
  %v172 = phi double [ %v169, %b19 ], [ %v.109, %b20 ]
  %v173 = phi i1 [ %v170, %b19 ], [ false, %b20 ]
  br label %b22
b22:
  %y.174 = phi i64 [ %y.138, %b14 ], [ %v171, %b21 ]
  %v.175 = phi double [ %v.132, %b14 ], [ %v172, %b21 ]
  %v176 = phi i1 [ %compared.139, %b14 ], [ %v173, %b21 ]
  br i1 %v176, label %b23, label %b39
b23:
  %v177 = sitofp i64 %n.2 to double
  %v178 = fmul double %v177, %r.58
  %spread.179 = fmul double %v178, %q.59
  %v180 = sub i64 %y.174, %m.68
  %v181 = icmp slt i64 %v180, 0
  %v182 = sub i64 0, %v180
  %k.183 = select i1 %v181, i64 %v182, i64 %v180
  %v184 = icmp sgt i64 %k.183, 20
  %v185 = fdiv double %spread.179, 0x4000000000000000
  %v186 = fsub double %v185, 0x3FF0000000000000
  %v187 = call i64 @cogir_order_of(i64 %k.183, double %v186)
  %v188 = icmp slt i64 %v187, 0
  %v189 = and i1 %v184, %v188
  br i1 %v189, label %b24, label %b31
b24:
  %v190 = sitofp i64 %k.183 to double
  %v191 = fdiv double %v190, %spread.179
  %v192 = sitofp i64 %k.183 to double
  %v193 = fdiv double %v192, 0x4008000000000000
  %v194 = fadd double %v193, 0x3FE4000000000000
  %v195 = sitofp i64 %k.183 to double
  %v196 = fmul double %v195, %v194
  %v197 = fadd double %v196, 0x3FC5555555555555
  %v198 = fdiv double %v197, %spread.179
  %v199 = fadd double %v198, 0x3FE0000000000000
  %rho.200 = fmul double %v191, %v199
  %v201 = sub i64 0, %k.183
  %v202 = mul i64 %v201, %k.183
  %v203 = fmul double 0x4000000000000000, %spread.179
  %v204 = sitofp i64 %v202 to double
  %t.205 = fdiv double %v204, %v203
  %height.206 = call double @log(double %v.175) nobuiltin
  %v207 = fsub double %t.205, %rho.200
  %v208 = fcmp olt double %height.206, %v207
  br i1 %v208, label %b25, label %b26
b25:
  br label %b30
b26:
  %v209 = fadd double %t.205, %rho.200
  %v210 = fcmp ole double %height.206, %v209
  br i1 %v210, label %b27, label %b28
b27:
  %v211 = sitofp i64 %y.174 to double
  %x1.212 = fadd double %v211, 0x3FF0000000000000
  %v213 = sitofp i64 %m.68 to double
  %f1.214 = fadd double %v213, 0x3FF0000000000000
  %v215 = sitofp i64 %n.2 to double
  %v216 = fadd double %v215, 0x3FF0000000000000
  %v217 = sitofp i64 %m.68 to double
  %z.218 = fsub double %v216, %v217
  %v219 = sub i64 %n.2, %y.174
  %v220 = sitofp i64 %v219 to double
  %w.221 = fadd double %v220, 0x3FF0000000000000
  %x.222 = fdiv double %f1.214, %x1.212
  %v223 = call double @log(double %x.222) nobuiltin
  %v224 = fmul double %xm.79, %v223
  %v225 = sub i64 %n.2, %m.68
  %v226 = sitofp i64 %v225 to double
  %v227 = fadd double %v226, 0x3FE0000000000000
  %x.228 = fdiv double %z.218, %w.221
  %v229 = call double @log(double %x.228) nobuiltin
  %v230 = fmul double %v227, %v229
  %v231 = fadd double %v224, %v230
  %v232 = sub i64 %y.174, %m.68
  %v233 = fmul double %w.221, %r.58
  %v234 = fmul double %x1.212, %q.59
  %x.235 = fdiv double %v233, %v234
  %v236 = call double @log(double %x.235) nobuiltin
  %v237 = sitofp i64 %v232 to double
  %v238 = fmul double %v237, %v236
  %v239 = fadd double %v231, %v238
  %v240 = fmul double %f1.214, %f1.214
  %v241 = call double @cogir_stirling_rest(double %f1.214, double %v240)
  %v242 = fadd double %v239, %v241
  %v243 = fmul double %z.218, %z.218
  %v244 = call double @cogir_stirling_rest(double %z.218, double %v243)
  %v245 = fadd double %v242, %v244
  %v246 = fmul double %x1.212, %x1.212
  %v247 = call double @cogir_stirling_rest(double %x1.212, double %v246)
  %v248 = fadd double %v245, %v247
  %v249 = fmul double %w.221, %w.221
  %v250 = call double @cogir_stirling_rest(double %w.221, double %v249)
  %limit.251 = fadd double %v248, %v250
  %v252 = fcmp ogt double %height.206, %limit.251
  %accepted.253 = xor i1 %v252, true
  br label %b29
b28:
  br label %b29
b29:
  %v254 = phi i1 [ %accepted.253, %b27 ], [ false, %b28 ]
  br label %b30
b30:
  %v255 = phi i1 [ true, %b25 ], [ %v254, %b29 ]
  br label %b38
b31:
  %s.256 = fdiv double %r.58, %q.59
  %v257 = add i64 %n.2, 1
  %v258 = sitofp i64 %v257 to double
  %a.259 = fmul double %s.256, %v258
  %v260 = add i64 %m.68, 1
  %v261 = add i64 %y.174, 1
  br label %b32
b32:
  %i.262 = phi i64 [ %v260, %b31 ], [ %v269, %b33 ]
  %factor.263 = phi double [ 0x3FF0000000000000, %b31 ], [ %factor.268, %b33 ]
  %v264 = icmp slt i64 %i.262, %v261
  br i1 %v264, label %b33, label %b34
b33:
  %v265 = sitofp i64 %i.262 to double
  %v266 = fdiv double %a.259, %v265
  %v267 = fsub double %v266, %s.256
  %factor.268 = fmul double %factor.263, %v267
  %v269 = add i64 %i.262, 1
  br label %b32
b34:
  %v270 = add i64 %y.174, 1
  %v271 = add i64 %m.68, 1
  br label %b35
b35:
  %i.272 = phi i64 [ %v270, %b34 ], [ %v279, %b36 ]
  %factor.273 = phi double [ %factor.263, %b34 ], [ %factor.278, %b36 ]
  %v274 = icmp slt i64 %i.272, %v271
  br i1 %v274, label %b36, label %b37
b36:
  %v275 = sitofp i64 %i.272 to double
  %v276 = fdiv double %a.259, %v275
  %v277 = fsub double %v276, %s.256
  %factor.278 = fdiv double %factor.273, %v277
  %v279 = add i64 %i.272, 1
  br label %b35
b37:
  %v280 = fcmp ogt double %v.175, %factor.273
  %accepted.281 = xor i1 %v280, true
  br label %b38
b38:
  %v282 = phi i1 [ %v255, %b30 ], [ %accepted.281, %b37 ]
  %waiting.283 = xor i1 %v282, true
  br label %b40
b39:
  br label %b40
b40:
  %v284 = phi i1 [ %waiting.283, %b38 ], [ %waiting.107, %b39 ]
  br label %b41
b41:
  %v285 = phi i64 [ %y.120, %b12 ], [ %y.174, %b40 ]
  %v286 = phi i1 [ false, %b12 ], [ %v284, %b40 ]
  br label %b10
b42:
  br label %b43
b43:
  %v287 = phi i64 [ %value.37, %b8 ], [ %y.106, %b42 ]
  %v288 = fcmp ogt double %p.3, 0x3FE0000000000000
  br i1 %v288, label %b44, label %b45
b44:
  %value.289 = sub i64 %n.2, %v287
  br label %b46
b45:
  br label %b46
b46:
  %v290 = phi i64 [ %value.289, %b44 ], [ %v287, %b45 ]
  br label %b48
b47:
  br label %b48
b48:
  %v291 = phi i64 [ %v290, %b46 ], [ -1, %b47 ]
  ret i64 %v291
}

; size 120 46
define internal double @cogir_rng_mt19937_exponential(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  %u.2 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v3 = fsub double 0x3FF0000000000000, %u.2
  %v4 = call double @log(double %v3) nobuiltin
  %v5 = fneg double %v4
  ret double %v5
}

; size 720 282
define internal double @cogir_rng_mt19937_gamma(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, double noundef %shape.2) nounwind noinline {
b0:
  %v3 = fcmp oeq double %shape.2, 0x3FF0000000000000
  br i1 %v3, label %b1, label %b2
b1:
  %value.4 = call double @cogir_mt19937_exponential(ptr %words.1)
  br label %b30
b2:
  %v5 = fcmp oeq double %shape.2, 0x0000000000000000
  br i1 %v5, label %b3, label %b4
b3:
  br label %b29
b4:
  %v6 = fcmp ogt double %shape.2, 0x0000000000000000
  %v7 = fcmp olt double %shape.2, 0x3FF0000000000000
  %v8 = and i1 %v6, %v7
  br i1 %v8, label %b5, label %b12
b5:
  br label %b6
b6:
  %value.9 = phi double [ 0x7FF8000000000000, %b5 ], [ %v31, %b10 ]
  %waiting.10 = phi i1 [ true, %b5 ], [ %v32, %b10 ]
  br i1 %waiting.10, label %b7, label %b11
b7:
  %u.11 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v.12 = call double @cogir_mt19937_exponential(ptr %words.1)
  %v13 = fsub double 0x3FF0000000000000, %shape.2
  %v14 = fcmp ole double %u.11, %v13
  br i1 %v14, label %b8, label %b9
b8:
  %y.15 = fdiv double 0x3FF0000000000000, %shape.2
  %value.16 = call double @pow(double %u.11, double %y.15) nobuiltin
  %v17 = fcmp ole double %value.16, %v.12
  %waiting.18 = xor i1 %v17, true
  br label %b10
b9:
  %v19 = fsub double 0x3FF0000000000000, %u.11
  %x.20 = fdiv double %v19, %shape.2
  %v21 = call double @log(double %x.20) nobuiltin
  %y.22 = fneg double %v21
  %v23 = fsub double 0x3FF0000000000000, %shape.2
  %v24 = fmul double %shape.2, %y.22
  %x.25 = fadd double %v23, %v24
  %y.26 = fdiv double 0x3FF0000000000000, %shape.2
  %value.27 = call double @pow(double %x.25, double %y.26) nobuiltin
  %v28 = fadd double %v.12, %y.22
  %v29 = fcmp ole double %value.27, %v28
  %waiting.30 = xor i1 %v29, true
  br label %b10
b10:
  %v31 = phi double [ %value.16, %b8 ], [ %value.27, %b9 ]
  %v32 = phi i1 [ %waiting.18, %b8 ], [ %waiting.30, %b9 ]
  br label %b6
b11:
  br label %b28
b12:
  %v33 = fcmp ogt double %shape.2, 0x3FF0000000000000
  br i1 %v33, label %b13, label %b26
b13:
  %b.34 = fsub double %shape.2, 0x3FD5555555555555
  %v35 = fmul double 0x4022000000000000, %b.34
  %v36 = call double @llvm.sqrt.f64(double %v35)
  %c.37 = fdiv double 0x3FF0000000000000, %v36
  br label %b14
b14:
  %value.38 = phi double [ 0x7FF8000000000000, %b13 ], [ %value.49, %b24 ]
  %waiting.39 = phi i1 [ true, %b13 ], [ %v66, %b24 ]
  br i1 %waiting.39, label %b15, label %b25
b15:
  br label %b16
b16:
  %x.40 = phi double [ 0x0000000000000000, %b15 ], [ %x.43, %b17 ]
  %v.41 = phi double [ 0x0000000000000000, %b15 ], [ %v.45, %b17 ]
  %v42 = fcmp ole double %v.41, 0x0000000000000000
  br i1 %v42, label %b17, label %b18
b17:
  %x.43 = call double @cogir_mt19937_normal(ptr %words.1)
  %v44 = fmul double %c.37, %x.43
  %v.45 = fadd double 0x3FF0000000000000, %v44
  br label %b16
b18:
  %v46 = fmul double %v.41, %v.41
  %v.47 = fmul double %v46, %v.41
  %u.48 = call double @cogir_mt19937_uniform(ptr %words.1)
  %value.49 = fmul double %b.34, %v.47
  %v50 = fmul double %x.40, %x.40
  %v51 = fmul double 0x3FA0F27BB2FEC56D, %v50
  %v52 = fmul double %x.40, %x.40
  %v53 = fmul double %v51, %v52
  %v54 = fsub double 0x3FF0000000000000, %v53
  %v55 = fcmp olt double %u.48, %v54
  br i1 %v55, label %b19, label %b20
b19:
  br label %b21
b20:
  %v56 = call double @log(double %u.48) nobuiltin
  %v57 = fmul double 0x3FE0000000000000, %x.40
  %v58 = fmul double %v57, %x.40
  %v59 = fsub double 0x3FF0000000000000, %v.47
  %v60 = call double @log(double %v.47) nobuiltin
  %v61 = fadd double %v59, %v60
  %v62 = fmul double %b.34, %v61
  %v63 = fadd double %v58, %v62
  %v64 = fcmp olt double %v56, %v63
  br label %b21
b21:
  %v65 = phi i1 [ %v55, %b19 ], [ %v64, %b20 ]
  br i1 %v65, label %b22, label %b23
b22:
  br label %b24
b23:
  br label %b24
b24:
  %v66 = phi i1 [ false, %b22 ], [ %waiting.39, %b23 ]
  br label %b14
b25:
  br label %b27
b26:
  br label %b27
b27:
  %v67 = phi double [ %value.38, %b25 ], [ 0x7FF8000000000000, %b26 ]
  br label %b28
b28:
  %v68 = phi double [ %value.9, %b11 ], [ %v67, %b27 ]
  br label %b29
b29:
  %v69 = phi double [ 0x0000000000000000, %b3 ], [ %v68, %b28 ]
  br label %b30
b30:
  %v70 = phi double [ %value.4, %b1 ], [ %v69, %b29 ]
  ret double %v70
}

; size 240 92
define internal i64 @cogir_rng_mt19937_geometric(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, double noundef %p.2) nounwind noinline {
b0:
  %v3 = fcmp oge double %p.2, 0x3FD5555555555555
  %v4 = fcmp ole double %p.2, 0x3FF0000000000000
  %v5 = and i1 %v3, %v4
  br i1 %v5, label %b1, label %b5
b1:
  %q.6 = fsub double 0x3FF0000000000000, %p.2
  %u.7 = call double @cogir_mt19937_uniform(ptr %words.1)
  br label %b2
b2:
  %product.8 = phi double [ %p.2, %b1 ], [ %product.14, %b3 ]
  %total.9 = phi double [ %p.2, %b1 ], [ %total.15, %b3 ]
  %value.10 = phi i64 [ 1, %b1 ], [ %value.16, %b3 ]
  %v11 = fcmp ogt double %u.7, %total.9
  %v12 = fcmp ogt double %product.8, 0x0000000000000000
  %v13 = and i1 %v11, %v12
  br i1 %v13, label %b3, label %b4
b3:
  %product.14 = fmul double %product.8, %q.6
  %total.15 = fadd double %total.9, %product.14
  %value.16 = add i64 %value.10, 1
  br label %b2
b4:
  br label %b12
b5:
  %v17 = fcmp ogt double %p.2, 0x0000000000000000
  %v18 = fcmp olt double %p.2, 0x3FD5555555555555
  %v19 = and i1 %v17, %v18
  br i1 %v19, label %b6, label %b10
b6:
  %u.20 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v21 = fneg double %u.20
  %v22 = call double @log1p(double %v21) nobuiltin
  %v23 = fsub double 0x3FF0000000000000, %p.2
  %v24 = call double @log(double %v23) nobuiltin
  %v25 = fdiv double %v22, %v24
  %trials.26 = call double @llvm.ceil.f64(double %v25)
  %v27 = fcmp ogt double %trials.26, 0xC3E0000000000000
  %v28 = fcmp olt double %trials.26, 0x43E0000000000000
  %v29 = and i1 %v27, %v28
  br i1 %v29, label %b7, label %b8
b7:
  %v30 = call double @llvm.fabs.f64(double %trials.26)
  %v31 = fcmp olt double %v30, 0x43E0000000000000
  %v32 = select i1 %v31, double %trials.26, double 0x0000000000000000
  %v33 = fptosi double %v32 to i64
  %value.34 = select i1 %v31, i64 %v33, i64 -9223372036854775808
  br label %b9
b8:
  br label %b9
b9:
  %v35 = phi i64 [ %value.34, %b7 ], [ -9223372036854775808, %b8 ]
  br label %b11
b10:
  br label %b11
b11:
  %v36 = phi i64 [ %v35, %b9 ], [ -1, %b10 ]
  br label %b12
b12:
  %v37 = phi i64 [ %value.10, %b4 ], [ %v36, %b11 ]
  ret i64 %v37
}

; size 120 42
define internal i64 @cogir_rng_mt19937_integer(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, i64 noundef %below.2) nounwind noinline {
b0:
  %largest.3 = sub i64 %below.2, 1
  %mask.4 = call i64 @cogir_smear(i64 %largest.3)
  %v5 = icmp sgt i64 %largest.3, 0
  br i1 %v5, label %b1, label %b8
b1:
  br label %b2
b2:
  %value.6 = phi i64 [ %below.2, %b1 ], [ %value.14, %b6 ]
  %v7 = icmp sgt i64 %value.6, %largest.3
  br i1 %v7, label %b3, label %b7
b3:
  %value.8 = call i64 @cogir_mt19937_next(ptr %words.1)
  %v9 = icmp sgt i64 %largest.3, 4294967295
  br i1 %v9, label %b4, label %b5
b4:
  %low.10 = call i64 @cogir_mt19937_next(ptr %words.1)
  %v11 = shl i64 %value.8, 32
  %value.12 = or i64 %v11, %low.10
  br label %b6
b5:
  br label %b6
b6:
  %v13 = phi i64 [ %value.12, %b4 ], [ %value.8, %b5 ]
  %value.14 = and i64 %v13, %mask.4
  br label %b2
b7:
  br label %b9
b8:
  br label %b9
b9:
  %v15 = phi i64 [ %value.6, %b7 ], [ 0, %b8 ]
  ret i64 %v15
}

; size 33 15
define internal void @cogir_rng_mt19937_keyed(i64 noundef %seed.1, i64 noundef %a.2, i64 noundef %b.3, ptr align 8 dereferenceable(5016) nonnull noalias noundef %v4) nounwind noinline {
b0:
  call void @cogir_mt19937_start(ptr %v4)
  %key.5 = and i64 %seed.1, 4294967295
  %v6 = call i64 @cogir_with_high_bits(i64 %a.2, i64 %seed.1)
  %v7 = and i64 %v6, 4294967295
  %following.8 = add i64 %v7, 1
  %v9 = and i64 %b.3, 4294967295
  %third.10 = add i64 %v9, 2
  %last.11 = load i64, ptr %v4
  br label %b1
b1:
  %i.12 = phi i64 [ 1, %b0 ], [ %v22, %b2 ]
  %last.13 = phi i64 [ %last.11, %b0 ], [ %last.20, %b2 ]
  %key.14 = phi i64 [ %key.5, %b0 ], [ %following.15, %b2 ]
  %following.15 = phi i64 [ %following.8, %b0 ], [ %third.16, %b2 ]
  %third.16 = phi i64 [ %third.10, %b0 ], [ %key.14, %b2 ]
  %v17 = icmp slt i64 %i.12, 624
  br i1 %v17, label %b2, label %b3
b2:
  %v18 = getelementptr inbounds i64, ptr %v4, i64 %i.12
  %v19 = load i64, ptr %v18
  %last.20 = call i64 @cogir_mt19937_enter(i64 %v19, i64 %last.13, i64 %key.14)
  %v21 = getelementptr inbounds i64, ptr %v4, i64 %i.12
  store i64 %last.20, ptr %v21
  %v22 = add i64 %i.12, 1
  br label %b1
b3:
  %v23 = getelementptr inbounds i64, ptr %v4, i32 1
  %v24 = load i64, ptr %v23
  %v25 = call i64 @cogir_mt19937_enter(i64 %v24, i64 %last.13, i64 %key.14)
  %v26 = getelementptr inbounds i64, ptr %v4, i32 1
  store i64 %v25, ptr %v26
  call void @cogir_mt19937_finish(ptr %v4)
  ret void
}

; size 33 15
define internal void @cogir_rng_mt19937_keyed4(i64 noundef %seed.1, i64 noundef %a.2, i64 noundef %b.3, i64 noundef %c.4, ptr align 8 dereferenceable(5016) nonnull noalias noundef %v5) nounwind noinline {
b0:
  call void @cogir_mt19937_start(ptr %v5)
  %key.6 = and i64 %seed.1, 4294967295
  %v7 = call i64 @cogir_with_high_bits(i64 %a.2, i64 %seed.1)
  %v8 = and i64 %v7, 4294967295
  %second.9 = add i64 %v8, 1
  %v10 = and i64 %b.3, 4294967295
  %third.11 = add i64 %v10, 2
  %v12 = and i64 %c.4, 4294967295
  %fourth.13 = add i64 %v12, 3
  %last.14 = load i64, ptr %v5
  br label %b1
b1:
  %i.15 = phi i64 [ 1, %b0 ], [ %v26, %b2 ]
  %last.16 = phi i64 [ %last.14, %b0 ], [ %last.24, %b2 ]
  %key.17 = phi i64 [ %key.6, %b0 ], [ %second.18, %b2 ]
  %second.18 = phi i64 [ %second.9, %b0 ], [ %third.19, %b2 ]
  %third.19 = phi i64 [ %third.11, %b0 ], [ %fourth.20, %b2 ]
  %fourth.20 = phi i64 [ %fourth.13, %b0 ], [ %key.17, %b2 ]
  %v21 = icmp slt i64 %i.15, 624
  br i1 %v21, label %b2, label %b3
b2:
  %v22 = getelementptr inbounds i64, ptr %v5, i64 %i.15
  %v23 = load i64, ptr %v22
  %last.24 = call i64 @cogir_mt19937_enter(i64 %v23, i64 %last.16, i64 %key.17)
  %v25 = getelementptr inbounds i64, ptr %v5, i64 %i.15
  store i64 %last.24, ptr %v25
  %v26 = add i64 %i.15, 1
  br label %b1
b3:
  %v27 = getelementptr inbounds i64, ptr %v5, i32 1
  %v28 = load i64, ptr %v27
  %v29 = call i64 @cogir_mt19937_enter(i64 %v28, i64 %last.16, i64 %key.17)
  %v30 = getelementptr inbounds i64, ptr %v5, i32 1
  store i64 %v29, ptr %v30
  call void @cogir_mt19937_finish(ptr %v5)
  ret void
}

; size 240 98
define internal double @cogir_rng_mt19937_lognormal(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, double noundef %mean.2, double noundef %sigma.3) nounwind noinline {
b0:
  %v4 = fcmp oge double %sigma.3, 0x0000000000000000
  br i1 %v4, label %b1, label %b2
b1:
  %x.5 = call double @cogir_mt19937_normal(ptr %words.1)
  %v6 = fmul double %sigma.3, %x.5
  %v7 = fadd double %mean.2, %v6
  %value.8 = call double @exp(double %v7) nobuiltin
  br label %b3
b2:
  br label %b3
b3:
  %v9 = phi double [ %value.8, %b1 ], [ 0x7FF8000000000000, %b2 ]
  ret double %v9
}

; size 240 98
define internal double @cogir_rng_mt19937_normal(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 625
  %v3 = load i64, ptr %v2
  %v4 = icmp ne i64 %v3, 0
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 626
  %v6 = load i64, ptr %v5
  %kept.7 = bitcast i64 %v6 to double
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 625
  store i64 0, ptr %v8
  %v9 = getelementptr inbounds i64, ptr %words.1, i32 626
  store i64 0, ptr %v9
  br label %b6
b2:
  br label %b3
b3:
  %x.10 = phi double [ 0x0000000000000000, %b2 ], [ %x.19, %b4 ]
  %y.11 = phi double [ 0x0000000000000000, %b2 ], [ %y.21, %b4 ]
  %square.12 = phi double [ 0x4000000000000000, %b2 ], [ %square.24, %b4 ]
  %v13 = fcmp oge double %square.12, 0x3FF0000000000000
  %v14 = fcmp oeq double %square.12, 0x0000000000000000
  %v15 = or i1 %v13, %v14
  br i1 %v15, label %b4, label %b5
b4:
  %u.16 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v.17 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v18 = fmul double 0x4000000000000000, %u.16
  %x.19 = fsub double %v18, 0x3FF0000000000000
  %v20 = fmul double 0x4000000000000000, %v.17
  %y.21 = fsub double %v20, 0x3FF0000000000000
  %v22 = fmul double %x.19, %x.19
  %v23 = fmul double %y.21, %y.21
  %square.24 = fadd double %v22, %v23
  br label %b3
b5:
  %v25 = call double @log(double %square.12) nobuiltin
  %v26 = fmul double 0xC000000000000000, %v25
  %v27 = fdiv double %v26, %square.12
  %factor.28 = call double @llvm.sqrt.f64(double %v27)
  %v29 = getelementptr inbounds i64, ptr %words.1, i32 625
  store i64 1, ptr %v29
  %v30 = fmul double %factor.28, %x.10
  %v31 = bitcast double %v30 to i64
  %v32 = getelementptr inbounds i64, ptr %words.1, i32 626
  store i64 %v31, ptr %v32
  %v33 = fmul double %factor.28, %y.11
  br label %b6
b6:
  %v34 = phi double [ %kept.7, %b1 ], [ %v33, %b5 ]
  ret double %v34
}

; size 109 43
define internal i64 @cogir_rng_mt19937_normals(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, ptr align 8 dereferenceable(2496) nonnull noalias noundef %normals.2) nounwind noinline {
b0:
  %v3 = alloca [256 x double], i64 1, align 64
  %v4 = alloca [256 x double], i64 1, align 64
  %v5 = alloca [256 x double], i64 1, align 64
  call void @cogir_mt19937_twist(ptr %words.1)
  %v6 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 624, ptr %v6
  br label %b1
b1:
  %v7 = phi i64 [ 0, %b0 ], [ %v10, %b2 ]
  %v8 = icmp slt i64 %v7, 256
  br i1 %v8, label %b2, label %b3
b2:
  %v9 = getelementptr inbounds double, ptr %v3, i64 %v7
  store double 0x0000000000000000, ptr %v9
  %v10 = add i64 %v7, 1
  br label %b1
b3:
  br label %b4
b4:
  %v11 = phi i64 [ 0, %b3 ], [ %v14, %b5 ]
  %v12 = icmp slt i64 %v11, 256
  br i1 %v12, label %b5, label %b6
b5:
  %v13 = getelementptr inbounds double, ptr %v4, i64 %v11
  store double 0x0000000000000000, ptr %v13
  %v14 = add i64 %v11, 1
  br label %b4
b6:
  br label %b7
b7:
  %v15 = phi i64 [ 0, %b6 ], [ %v18, %b8 ]
  %v16 = icmp slt i64 %v15, 256
  br i1 %v16, label %b8, label %b9
b8:
  %v17 = getelementptr inbounds double, ptr %v5, i64 %v15
  store double 0x0000000000000000, ptr %v17
  %v18 = add i64 %v15, 1
  br label %b7
b9:
  br label %b10
b10:
  %i.19 = phi i64 [ 0, %b9 ], [ %v53, %b11 ]
  %i.20 = phi i64 [ 0, %b9 ], [ %i.19, %b11 ]
  %v21 = icmp slt i64 %i.19, 156
  br i1 %v21, label %b11, label %b12
b11:
  %v22 = mul i64 4, %i.19
  %v23 = getelementptr inbounds i64, ptr %words.1, i64 %v22
  %v24 = load i64, ptr %v23
  %v25 = mul i64 4, %i.19
  %v26 = add i64 %v25, 1
  %v27 = getelementptr inbounds i64, ptr %words.1, i64 %v26
  %v28 = load i64, ptr %v27
  %v29 = call double @cogir_centred(i64 %v24, i64 %v28)
  %v30 = getelementptr inbounds double, ptr %v3, i64 %i.19
  store double %v29, ptr %v30
  %v31 = mul i64 4, %i.19
  %v32 = add i64 %v31, 2
  %v33 = getelementptr inbounds i64, ptr %words.1, i64 %v32
  %v34 = load i64, ptr %v33
  %v35 = mul i64 4, %i.19
  %v36 = add i64 %v35, 3
  %v37 = getelementptr inbounds i64, ptr %words.1, i64 %v36
  %v38 = load i64, ptr %v37
  %v39 = call double @cogir_centred(i64 %v34, i64 %v38)
  %v40 = getelementptr inbounds double, ptr %v4, i64 %i.19
  store double %v39, ptr %v40
  %v41 = getelementptr inbounds double, ptr %v3, i64 %i.19
  %v42 = load double, ptr %v41
  %v43 = getelementptr inbounds double, ptr %v3, i64 %i.19
  %v44 = load double, ptr %v43
  %v45 = fmul double %v42, %v44
  %v46 = getelementptr inbounds double, ptr %v4, i64 %i.19
  %v47 = load double, ptr %v46
  %v48 = getelementptr inbounds double, ptr %v4, i64 %i.19
  %v49 = load double, ptr %v48
  %v50 = fmul double %v47, %v49
  %v51 = fadd double %v45, %v50
  %v52 = getelementptr inbounds double, ptr %v5, i64 %i.19
  store double %v51, ptr %v52
  %v53 = add i64 %i.19, 1
  br label %b10
b12:
  br label %b13
b13:
  %i.54 = phi i64 [ 0, %b12 ], [ %v86, %b14 ]
  %i.55 = phi i64 [ %i.20, %b12 ], [ %i.54, %b14 ]
  %count.56 = phi i64 [ 0, %b12 ], [ %count.85, %b14 ]
  %s.57 = phi double [ 0x0000000000000000, %b12 ], [ %s.60, %b14 ]
  %v58 = icmp slt i64 %i.54, 156
  br i1 %v58, label %b14, label %b15
b14:
  %v59 = getelementptr inbounds double, ptr %v5, i64 %i.54
  %s.60 = load double, ptr %v59
  %place.61 = and i64 %count.56, 255
  %v62 = getelementptr inbounds double, ptr %v3, i64 %i.54
  %v63 = load double, ptr %v62
  %v64 = add i64 %place.61, 256
  %v65 = icmp slt i64 %place.61, 0
  %v66 = select i1 %v65, i64 %v64, i64 %place.61
  %v67 = call i64 @llvm.smax.i64(i64 %v66, i64 0)
  %v68 = call i64 @llvm.smin.i64(i64 %v67, i64 255)
  %v69 = getelementptr inbounds double, ptr %v3, i64 %v68
  store double %v63, ptr %v69
  %v70 = getelementptr inbounds double, ptr %v4, i64 %i.54
  %v71 = load double, ptr %v70
  %v72 = add i64 %place.61, 256
  %v73 = icmp slt i64 %place.61, 0
  %v74 = select i1 %v73, i64 %v72, i64 %place.61
  %v75 = call i64 @llvm.smax.i64(i64 %v74, i64 0)
  %v76 = call i64 @llvm.smin.i64(i64 %v75, i64 255)
  %v77 = getelementptr inbounds double, ptr %v4, i64 %v76
  store double %v71, ptr %v77
  %v78 = add i64 %place.61, 256
  %v79 = icmp slt i64 %place.61, 0
  %v80 = select i1 %v79, i64 %v78, i64 %place.61
  %v81 = call i64 @llvm.smax.i64(i64 %v80, i64 0)
  %v82 = call i64 @llvm.smin.i64(i64 %v81, i64 255)
  %v83 = getelementptr inbounds double, ptr %v5, i64 %v82
  store double %s.60, ptr %v83
  %v84 = call i64 @cogir_is_accepted(double %s.60)
  %count.85 = add i64 %count.56, %v84
  %v86 = add i64 %i.54, 1
  br label %b13
b15:
  br label %b16
b16:
  %i.87 = phi i64 [ 0, %b15 ], [ %v107, %b17 ]
  %i.88 = phi i64 [ %i.55, %b15 ], [ %i.87, %b17 ]
  %s.89 = phi double [ %s.57, %b15 ], [ %s.94, %b17 ]
  %v90 = icmp slt i64 %i.87, 156
  br i1 %v90, label %b17, label %b18
b17:
  %v91 = icmp slt i64 %i.87, %count.56
  %v92 = getelementptr inbounds double, ptr %v5, i64 %i.87
  %v93 = load double, ptr %v92
  %s.94 = select i1 %v91, double %v93, double 0x3FE0000000000000
  %v95 = getelementptr inbounds double, ptr %v3, i64 %i.87
  %v96 = load double, ptr %v95
  %v97 = getelementptr inbounds double, ptr %v4, i64 %i.87
  %v98 = load double, ptr %v97
  %v99 = call { double, double } @cogir_normals_of(double %v96, double %v98, double %s.94)
  %v100 = extractvalue { double, double } %v99, 0
  %v101 = extractvalue { double, double } %v99, 1
  %v102 = mul i64 2, %i.87
  %v103 = getelementptr inbounds double, ptr %normals.2, i64 %v102
  store double %v100, ptr %v103
  %v104 = mul i64 2, %i.87
  %v105 = add i64 %v104, 1
  %v106 = getelementptr inbounds double, ptr %normals.2, i64 %v105
  store double %v101, ptr %v106
  %v107 = add i64 %i.87, 1
  br label %b16
b18:
  %v108 = mul i64 2, %count.56
  ret i64 %v108
}

; size 360 139
define internal i64 @cogir_rng_mt19937_poisson(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1, double noundef %mean.2) nounwind noinline {
b0:
  %v3 = fcmp oge double %mean.2, 0x4024000000000000
  %v4 = fcmp ole double %mean.2, 0x43DFFFFFFE3B73A0
  %v5 = and i1 %v3, %v4
  br i1 %v5, label %b1, label %b23
b1:
  %root.6 = call double @llvm.sqrt.f64(double %mean.2)
  %log_mean.7 = call double @log(double %mean.2) nobuiltin
  %v8 = fmul double 0x40043D70A3D70A3D, %root.6
  %b.9 = fadd double 0x3FEDCAC083126E98, %v8
  %v10 = fmul double 0x3F996D0917D6B65B, %b.9
  %a.11 = fadd double 0xBFAE353F7CED9168, %v10
  %v12 = fsub double %b.9, 0x400B333333333333
  %v13 = fdiv double 0x3FF21FF2E48E8A72, %v12
  %inverse_alpha.14 = fadd double 0x3FF1FB7E90FF9724, %v13
  %v15 = fsub double %b.9, 0x4000000000000000
  %v16 = fdiv double 0x400CFAACD9E83E42, %v15
  %bound.17 = fsub double 0x3FEDAFB7E90FF972, %v16
  br label %b2
b2:
  %value.18 = phi i64 [ -1, %b1 ], [ %v106, %b21 ]
  %waiting.19 = phi i1 [ true, %b1 ], [ %v107, %b21 ]
  br i1 %waiting.19, label %b3, label %b22
b3:
  %u.20 = call double @cogir_mt19937_uniform(ptr %words.1)
  %v.21 = call double @cogir_mt19937_uniform(ptr %words.1)
  %u.22 = fsub double %u.20, 0x3FE0000000000000
  %v23 = call double @llvm.fabs.f64(double %u.22)
  %distance.24 = fsub double 0x3FE0000000000000, %v23
  %v25 = fcmp ogt double %distance.24, 0x0000000000000000
  br i1 %v25, label %b4, label %b20
b4:
  %v26 = fmul double 0x4000000000000000, %a.11
  %v27 = fdiv double %v26, %distance.24
  %v28 = fadd double %v27, %b.9
  %v29 = fmul double %v28, %u.22
  %v30 = fadd double %v29, %mean.2
  %v31 = fadd double %v30, 0x3FDB851EB851EB85
  %v32 = call double @llvm.floor.f64(double %v31)
  %v33 = call double @llvm.fabs.f64(double %v32)
  %v34 = fcmp olt double %v33, 0x43E0000000000000
  %v35 = select i1 %v34, double %v32, double 0x0000000000000000
  %v36 = fptosi double %v35 to i64
  %value.37 = select i1 %v34, i64 %v36, i64 -9223372036854775808
  %v38 = fcmp oge double %distance.24, 0x3FB1EB851EB851EC
  %v39 = fcmp ole double %v.21, %bound.17
  %v40 = and i1 %v38, %v39
  br i1 %v40, label %b5, label %b6
b5:
  br label %b19
b6:
  %v41 = icmp sge i64 %value.37, 0
  %v42 = fcmp olt double %distance.24, 0x3F8A9FBE76C8B439
  %v43 = fcmp ogt double %v.21, %distance.24
  %v44 = and i1 %v42, %v43
  %v45 = xor i1 %v44, true
  %v46 = and i1 %v41, %v45
  br i1 %v46, label %b7, label %b17
b7:
  %v47 = call double @log(double %v.21) nobuiltin
  %v48 = call double @log(double %inverse_alpha.14) nobuiltin
  %v49 = fadd double %v47, %v48
  %v50 = fmul double %distance.24, %distance.24
  %v51 = fdiv double %a.11, %v50
  %x.52 = fadd double %v51, %b.9
  %v53 = call double @log(double %x.52) nobuiltin
  %height.54 = fsub double %v49, %v53
  %v55 = fneg double %mean.2
  %v56 = sitofp i64 %value.37 to double
  %v57 = fmul double %v56, %log_mean.7
  %v58 = fadd double %v55, %v57
  %v59 = sitofp i64 %value.37 to double
  %x.60 = fadd double %v59, 0x3FF0000000000000
  %v61 = fcmp une double %x.60, 0x3FF0000000000000
  %v62 = fcmp une double %x.60, 0x4000000000000000
  %v63 = and i1 %v61, %v62
  br i1 %v63, label %b8, label %b15
b8:
  %v64 = fcmp ole double %x.60, 0x401C000000000000
  %v65 = fsub double 0x401C000000000000, %x.60
  %v66 = call double @llvm.fabs.f64(double %v65)
  %v67 = fcmp olt double %v66, 0x43E0000000000000
  %v68 = select i1 %v67, double %v65, double 0x0000000000000000
  %v69 = fptosi double %v68 to i64
  %v70 = select i1 %v67, i64 %v69, i64 -9223372036854775808
  %more.71 = select i1 %v64, i64 %v70, i64 0
  %v72 = sitofp i64 %more.71 to double
  %shifted.73 = fadd double %x.60, %v72
  %v74 = fmul double %shifted.73, %shifted.73
  %inverse.75 = fdiv double 0x3FF0000000000000, %v74
  br label %b9
b9:
  %i.76 = phi i64 [ 0, %b8 ], [ %v83, %b10 ]
  %series.77 = phi double [ 0x0000000000000000, %b8 ], [ %series.82, %b10 ]
  %v78 = icmp slt i64 %i.76, 10
  br i1 %v78, label %b10, label %b11
b10:
  %v79 = fmul double %series.77, %inverse.75
  %v80 = getelementptr inbounds double, ptr @cogir_rng_mt19937_poisson_constant_0, i64 %i.76
  %v81 = load double, ptr %v80
  %series.82 = fadd double %v79, %v81
  %v83 = add i64 %i.76, 1
  br label %b9
b11:
  %v84 = fdiv double %series.77, %shifted.73
  %v85 = fadd double %v84, 0x3FED67F1C864BEB4
  %v86 = fsub double %shifted.73, 0x3FE0000000000000
  %v87 = call double @log(double %shifted.73) nobuiltin
  %v88 = fmul double %v86, %v87
  %v89 = fadd double %v85, %v88
  %result.90 = fsub double %v89, %shifted.73
  br label %b12
b12:
  %i.91 = phi i64 [ 0, %b11 ], [ %v99, %b13 ]
  %result.92 = phi double [ %result.90, %b11 ], [ %result.97, %b13 ]
  %shifted.93 = phi double [ %shifted.73, %b11 ], [ %shifted.98, %b13 ]
  %v94 = icmp slt i64 %i.91, %more.71
  br i1 %v94, label %b13, label %b14
b13:
  %x.95 = fsub double %shifted.93, 0x3FF0000000000000
  %v96 = call double @log(double %x.95) nobuiltin
  %result.97 = fsub double %result.92, %v96
  %shifted.98 = fsub double %shifted.93, 0x3FF0000000000000
  %v99 = add i64 %i.91, 1
  br label %b12
b14:
  br label %b16
b15:
  br label %b16
b16:
  %v100 = phi double [ %result.92, %b14 ], [ 0x0000000000000000, %b15 ]
  %v101 = fsub double %v58, %v100
  %v102 = fcmp ole double %height.54, %v101
  %waiting.103 = xor i1 %v102, true
  br label %b18
b17:
  br label %b18
b18:
  %v104 = phi i1 [ %waiting.103, %b16 ], [ %waiting.19, %b17 ]
  br label %b19
b19:
  %v105 = phi i1 [ false, %b5 ], [ %v104, %b18 ]
  br label %b21
b20:
  br label %b21
b21:
  %v106 = phi i64 [ %value.37, %b19 ], [ %value.18, %b20 ]
  %v107 = phi i1 [ %v105, %b19 ], [ %waiting.19, %b20 ]
  br label %b2
b22:
  br label %b33
b23:
  %v108 = fcmp oeq double %mean.2, 0x0000000000000000
  br i1 %v108, label %b24, label %b25
b24:
  br label %b32
b25:
  %v109 = fcmp ogt double %mean.2, 0x0000000000000000
  %v110 = fcmp olt double %mean.2, 0x4024000000000000
  %v111 = and i1 %v109, %v110
  br i1 %v111, label %b26, label %b30
b26:
  %x.112 = fneg double %mean.2
  %limit.113 = call double @exp(double %x.112) nobuiltin
  br label %b27
b27:
  %product.114 = phi double [ 0x3FF0000000000000, %b26 ], [ %product.118, %b28 ]
  %value.115 = phi i64 [ -1, %b26 ], [ %value.119, %b28 ]
  %waiting.116 = phi i1 [ true, %b26 ], [ %waiting.120, %b28 ]
  br i1 %waiting.116, label %b28, label %b29
b28:
  %u.117 = call double @cogir_mt19937_uniform(ptr %words.1)
  %product.118 = fmul double %product.114, %u.117
  %value.119 = add i64 %value.115, 1
  %waiting.120 = fcmp ogt double %product.118, %limit.113
  br label %b27
b29:
  br label %b31
b30:
  br label %b31
b31:
  %v121 = phi i64 [ %value.115, %b29 ], [ -1, %b30 ]
  br label %b32
b32:
  %v122 = phi i64 [ 0, %b24 ], [ %v121, %b31 ]
  br label %b33
b33:
  %v123 = phi i64 [ %value.18, %b22 ], [ %v122, %b32 ]
  ret i64 %v123
}

@cogir_rng_mt19937_poisson_constant_0 = internal constant [10 x double] [double 0xBFF6476701181F35, double 0x3FC6FE96381E0685, double 0xBF9E4286CB0F5397, double 0x3F7A41A41A41A41A, double 0xBF5F6AB0D9993C7F, double 0x3F4B951E2B18FF24, double 0xBF43813813813813, double 0x3F4A01A01A01A01A, double 0xBF66C16C16C16C17, double 0x3FB5555555555555], align 64

; size 33 15
define internal void @cogir_rng_mt19937_seed(i64 noundef %seed.1, ptr align 8 dereferenceable(5016) nonnull noalias noundef %v2) nounwind noinline {
b0:
  call void @cogir_mt19937_start(ptr %v2)
  %key.3 = and i64 %seed.1, 4294967295
  %last.4 = load i64, ptr %v2
  br label %b1
b1:
  %i.5 = phi i64 [ 1, %b0 ], [ %v12, %b2 ]
  %last.6 = phi i64 [ %last.4, %b0 ], [ %last.10, %b2 ]
  %v7 = icmp slt i64 %i.5, 624
  br i1 %v7, label %b2, label %b3
b2:
  %v8 = getelementptr inbounds i64, ptr %v2, i64 %i.5
  %v9 = load i64, ptr %v8
  %last.10 = call i64 @cogir_mt19937_enter(i64 %v9, i64 %last.6, i64 %key.3)
  %v11 = getelementptr inbounds i64, ptr %v2, i64 %i.5
  store i64 %last.10, ptr %v11
  %v12 = add i64 %i.5, 1
  br label %b1
b3:
  %v13 = getelementptr inbounds i64, ptr %v2, i32 1
  %v14 = load i64, ptr %v13
  %v15 = call i64 @cogir_mt19937_enter(i64 %v14, i64 %last.6, i64 %key.3)
  %v16 = getelementptr inbounds i64, ptr %v2, i32 1
  store i64 %v15, ptr %v16
  call void @cogir_mt19937_finish(ptr %v2)
  ret void
}

; size 181 25
define internal void @cogir_rng_mt19937_streams(i64 noundef %length.1, ptr align 8 dereferenceable(161536) nonnull noalias noundef %rows.2) nounwind noinline {
b0:
  %v3 = alloca [384 x i64], i64 1, align 64
  %v4 = icmp sgt i64 %length.1, 1
  br i1 %v4, label %b1, label %b5
b1:
  br label %b2
b2:
  %i.5 = phi i64 [ 0, %b1 ], [ %v17, %b3 ]
  %stream.6 = phi i64 [ 0, %b1 ], [ %i.5, %b3 ]
  %v7 = icmp slt i64 %i.5, 32
  br i1 %v7, label %b3, label %b4
b3:
  %v8 = add i64 32, %i.5
  %v9 = getelementptr inbounds i64, ptr %rows.2, i64 %v8
  %v10 = load i64, ptr %v9
  %v11 = getelementptr inbounds i64, ptr %rows.2, i64 %i.5
  %v12 = load i64, ptr %v11
  %v13 = lshr i64 %v12, 32
  %v14 = xor i64 %v10, %v13
  %v15 = add i64 32, %i.5
  %v16 = getelementptr inbounds i64, ptr %rows.2, i64 %v15
  store i64 %v14, ptr %v16
  %v17 = add i64 %i.5, 1
  br label %b2
b4:
  br label %b6
b5:
  br label %b6
b6:
  br label %b7
b7:
  %v18 = phi i64 [ 0, %b6 ], [ %v21, %b8 ]
  %v19 = icmp slt i64 %v18, 384
  br i1 %v19, label %b8, label %b9
b8:
  %v20 = getelementptr inbounds i64, ptr %v3, i64 %v18
  store i64 0, ptr %v20
  %v21 = add i64 %v18, 1
  br label %b7
b9:
  br label %b10
b10:
  %i.22 = phi i64 [ 0, %b9 ], [ %v59, %b11 ]
  %v23 = icmp slt i64 %i.22, 384
  br i1 %v23, label %b11, label %b12
b11:
  %v24 = sdiv i64 %i.22, 32
  %v25 = mul i64 %v24, 32
  %v26 = sub i64 %i.22, %v25
  %v27 = xor i64 %v26, 32
  %v28 = icmp slt i64 %v27, 0
  %v29 = icmp ne i64 %v26, 0
  %v30 = and i1 %v29, %v28
  %v31 = sub i64 %v24, 1
  %v32 = select i1 %v30, i64 %v31, i64 %v24
  %v33 = add i64 %length.1, 1
  %v34 = icmp ult i64 %v33, 2
  %v35 = select i1 %v34, i64 1, i64 %length.1
  %v36 = srem i64 %v32, %v35
  %v37 = xor i64 %v36, %v35
  %v38 = icmp slt i64 %v37, 0
  %v39 = icmp ne i64 %v36, 0
  %v40 = and i1 %v39, %v38
  %v41 = add i64 %v36, %v35
  %place.42 = select i1 %v40, i64 %v41, i64 %v36
  %v43 = mul i64 %place.42, 32
  %v44 = srem i64 %i.22, 32
  %v45 = icmp slt i64 %v44, 0
  %v46 = add i64 %v44, 32
  %v47 = select i1 %v45, i64 %v46, i64 %v44
  %v48 = add i64 %v43, %v47
  %v49 = add i64 %v48, 20192
  %v50 = icmp slt i64 %v48, 0
  %v51 = select i1 %v50, i64 %v49, i64 %v48
  %v52 = call i64 @llvm.smax.i64(i64 %v51, i64 0)
  %v53 = call i64 @llvm.smin.i64(i64 %v52, i64 20191)
  %v54 = getelementptr inbounds i64, ptr %rows.2, i64 %v53
  %v55 = load i64, ptr %v54
  %v56 = and i64 %v55, 4294967295
  %v57 = add i64 %v56, %place.42
  %v58 = getelementptr inbounds i64, ptr %v3, i64 %i.22
  store i64 %v57, ptr %v58
  %v59 = add i64 %i.22, 1
  br label %b10
b12:
  br label %b13
b13:
  %i.60 = phi i64 [ 0, %b12 ], [ %v64, %b14 ]
  %v61 = icmp slt i64 %i.60, 32
  br i1 %v61, label %b14, label %b15
b14:
  %v62 = add i64 128, %i.60
  %v63 = getelementptr inbounds i64, ptr %rows.2, i64 %v62
  store i64 19650218, ptr %v63
  %v64 = add i64 %i.60, 1
  br label %b13
b15:
  br label %b16
b16:
  %i.65 = phi i64 [ 1, %b15 ], [ %v93, %b20 ]
  %word.66 = phi i64 [ 0, %b15 ], [ %i.65, %b20 ]
  %row.67 = phi i64 [ 0, %b15 ], [ %row.69, %b20 ]
  %v68 = icmp slt i64 %i.65, 624
  br i1 %v68, label %b17, label %b21
b17:
  %row.69 = add i64 4, %i.65
  %v70 = sub i64 %i.65, 1
  %v71 = srem i64 %v70, 12
  %v72 = icmp slt i64 %v71, 0
  %v73 = add i64 %v71, 12
  %step.74 = select i1 %v72, i64 %v73, i64 %v71
  br label %b18
b18:
  %i.75 = phi i64 [ 0, %b17 ], [ %v92, %b19 ]
  %v76 = icmp slt i64 %i.75, 32
  br i1 %v76, label %b19, label %b20
b19:
  %v77 = getelementptr inbounds i64, ptr @cogir_rng_mt19937_streams_constant_0, i64 %i.65
  %v78 = load i64, ptr %v77
  %v79 = sub i64 %row.69, 1
  %v80 = mul i64 %v79, 32
  %v81 = add i64 %v80, %i.75
  %v82 = getelementptr inbounds i64, ptr %rows.2, i64 %v81
  %v83 = load i64, ptr %v82
  %v84 = mul i64 %step.74, 32
  %v85 = add i64 %v84, %i.75
  %v86 = getelementptr inbounds i64, ptr %v3, i64 %v85
  %v87 = load i64, ptr %v86
  %v88 = call i64 @cogir_entered(i64 %v78, i64 %v83, i64 %v87)
  %v89 = mul i64 %row.69, 32
  %v90 = add i64 %v89, %i.75
  %v91 = getelementptr inbounds i64, ptr %rows.2, i64 %v90
  store i64 %v88, ptr %v91
  %v92 = add i64 %i.75, 1
  br label %b18
b20:
  %v93 = add i64 %i.65, 1
  br label %b16
b21:
  br label %b22
b22:
  %i.94 = phi i64 [ 0, %b21 ], [ %v108, %b23 ]
  %v95 = icmp slt i64 %i.94, 32
  br i1 %v95, label %b23, label %b24
b23:
  %v96 = add i64 20064, %i.94
  %v97 = getelementptr inbounds i64, ptr %rows.2, i64 %v96
  %last.98 = load i64, ptr %v97
  %v99 = add i64 160, %i.94
  %v100 = getelementptr inbounds i64, ptr %rows.2, i64 %v99
  %v101 = load i64, ptr %v100
  %v102 = add i64 352, %i.94
  %v103 = getelementptr inbounds i64, ptr %v3, i64 %v102
  %v104 = load i64, ptr %v103
  %again.105 = call i64 @cogir_entered(i64 %v101, i64 %last.98, i64 %v104)
  %v106 = add i64 160, %i.94
  %v107 = getelementptr inbounds i64, ptr %rows.2, i64 %v106
  store i64 %again.105, ptr %v107
  %v108 = add i64 %i.94, 1
  br label %b22
b24:
  br label %b25
b25:
  %i.109 = phi i64 [ 2, %b24 ], [ %v130, %b29 ]
  %word.110 = phi i64 [ %word.66, %b24 ], [ %i.109, %b29 ]
  %row.111 = phi i64 [ %row.67, %b24 ], [ %row.113, %b29 ]
  %v112 = icmp slt i64 %i.109, 624
  br i1 %v112, label %b26, label %b30
b26:
  %row.113 = add i64 4, %i.109
  br label %b27
b27:
  %i.114 = phi i64 [ 0, %b26 ], [ %v129, %b28 ]
  %v115 = icmp slt i64 %i.114, 32
  br i1 %v115, label %b28, label %b29
b28:
  %v116 = mul i64 %row.113, 32
  %v117 = add i64 %v116, %i.114
  %v118 = getelementptr inbounds i64, ptr %rows.2, i64 %v117
  %v119 = load i64, ptr %v118
  %v120 = sub i64 %row.113, 1
  %v121 = mul i64 %v120, 32
  %v122 = add i64 %v121, %i.114
  %v123 = getelementptr inbounds i64, ptr %rows.2, i64 %v122
  %v124 = load i64, ptr %v123
  %v125 = call i64 @cogir_left(i64 %v119, i64 %v124, i64 %i.109)
  %v126 = mul i64 %row.113, 32
  %v127 = add i64 %v126, %i.114
  %v128 = getelementptr inbounds i64, ptr %rows.2, i64 %v127
  store i64 %v125, ptr %v128
  %v129 = add i64 %i.114, 1
  br label %b27
b29:
  %v130 = add i64 %i.109, 1
  br label %b25
b30:
  br label %b31
b31:
  %i.131 = phi i64 [ 0, %b30 ], [ %v150, %b32 ]
  %v132 = icmp slt i64 %i.131, 32
  br i1 %v132, label %b32, label %b33
b32:
  %v133 = add i64 160, %i.131
  %v134 = getelementptr inbounds i64, ptr %rows.2, i64 %v133
  %v135 = load i64, ptr %v134
  %v136 = add i64 20064, %i.131
  %v137 = getelementptr inbounds i64, ptr %rows.2, i64 %v136
  %v138 = load i64, ptr %v137
  %v139 = call i64 @cogir_left_1(i64 %v135, i64 %v138)
  %v140 = add i64 160, %i.131
  %v141 = getelementptr inbounds i64, ptr %rows.2, i64 %v140
  store i64 %v139, ptr %v141
  %v142 = add i64 128, %i.131
  %v143 = getelementptr inbounds i64, ptr %rows.2, i64 %v142
  store i64 2147483648, ptr %v143
  %v144 = add i64 20096, %i.131
  %v145 = getelementptr inbounds i64, ptr %rows.2, i64 %v144
  store i64 624, ptr %v145
  %v146 = add i64 20128, %i.131
  %v147 = getelementptr inbounds i64, ptr %rows.2, i64 %v146
  store i64 0, ptr %v147
  %v148 = add i64 20160, %i.131
  %v149 = getelementptr inbounds i64, ptr %rows.2, i64 %v148
  store i64 0, ptr %v149
  %v150 = add i64 %i.131, 1
  br label %b31
b33:
  ret void
}

@cogir_rng_mt19937_streams_constant_0 = internal constant [624 x i64] [i64 19650218, i64 2194844435, i64 874550967, i64 1417962806, i64 719805879, i64 2188372024, i64 721660136, i64 1814940559, i64 2833403150, i64 3889680837, i64 1003665704, i64 1330738387, i64 2892331238, i64 3489052161, i64 3855278296, i64 3311200630, i64 1422571577, i64 2585306665, i64 2882769417, i64 2783805802, i64 4207719964, i64 2400416080, i64 2341377904, i64 2590753297, i64 3924081815, i64 1211472509, i64 3057012486, i64 3436335279, i64 551149560, i64 1318655221, i64 1900533858, i64 3537525294, i64 2107812065, i64 3148644481, i64 594136785, i64 1814262168, i64 1224061569, i64 653651109, i64 254650943, i64 2832785922, i64 3699583528, i64 2088609312, i64 3529585711, i64 41492871, i64 2876012911, i64 4240588078, i64 1402615791, i64 1934126869, i64 3096545044, i64 2890863071, i64 80499043, i64 970921794, i64 3007610686, i64 750866145, i64 799115259, i64 3629971774, i64 2864380489, i64 3888374480, i64 2087741561, i64 3146346387, i64 3269762417, i64 2727485495, i64 2488668711, i64 2964190680, i64 2116659522, i64 4141458096, i64 3537107937, i64 3667677805, i64 2429248426, i64 2452306317, i64 3015982257, i64 499957222, i64 2360410630, i64 4194693085, i64 147288288, i64 3359074475, i64 1635136148, i64 4073107990, i64 3628367767, i64 3898116531, i64 275612352, i64 2842514961, i64 3115851985, i64 3103448722, i64 302309156, i64 22171017, i64 2075519075, i64 3671007489, i64 3949991970, i64 1963601502, i64 4167967445, i64 804406473, i64 1055110313, i64 3894654986, i64 2278780139, i64 34711884, i64 4121261916, i64 3468881884, i64 2287991389, i64 393453278, i64 548699130, i64 1499706375, i64 332872900, i64 1556864443, i64 1043137738, i64 4174970395, i64 1614747618, i64 669116410, i64 1897615374, i64 3255278936, i64 1370736725, i64 1550777747, i64 1685794058, i64 1862314184, i64 2400528575, i64 2672900100, i64 1647333586, i64 3524644532, i64 1765506473, i64 2857335743, i64 3636393737, i64 2932986219, i64 1203228647, i64 1628511289, i64 3647085204, i64 2987412752, i64 2905279128, i64 2631768385, i64 4014428911, i64 1727529885, i64 1124854030, i64 2262104686, i64 2499713312, i64 2421398767, i64 4134715143, i64 2358935835, i64 1002066021, i64 340444514, i64 3268366900, i64 1112268606, i64 1897974631, i64 3331577291, i64 2922602614, i64 3423543891, i64 1267030560, i64 2344564886, i64 1942259446, i64 3179572998, i64 1573187880, i64 1205933762, i64 3025229445, i64 4246102746, i64 346693941, i64 2002220930, i64 1829519945, i64 3309743875, i64 1904872348, i64 955816590, i64 2796353700, i64 668528669, i64 2648785169, i64 2704726048, i64 893089804, i64 738773343, i64 2832484895, i64 2050343702, i64 104744889, i64 3439545764, i64 980222603, i64 422274176, i64 3865519914, i64 2026267864, i64 539814729, i64 4137805178, i64 1140607595, i64 2537690753, i64 3971218783, i64 1931293181, i64 3089667358, i64 1133695167, i64 399772074, i64 3682192071, i64 4293649418, i64 1029228868, i64 3902327948, i64 1974090788, i64 3344730195, i64 2795804747, i64 3396216457, i64 366677807, i64 416687433, i64 930072460, i64 901228284, i64 1521860141, i64 3484259358, i64 478803252, i64 3138556488, i64 4137898487, i64 3807832586, i64 3773310804, i64 3221624091, i64 3076008769, i64 4156878137, i64 406561453, i64 3897607181, i64 623564883, i64 2247148685, i64 1696011322, i64 2911604503, i64 3979653402, i64 742342831, i64 3881512158, i64 2282092805, i64 2681274264, i64 3681829528, i64 46152446, i64 3126539534, i64 3635632789, i64 1012335624, i64 3686064131, i64 2587648220, i64 2008745587, i64 2556071384, i64 1788453345, i64 861781568, i64 2727104545, i64 758340017, i64 1880693944, i64 2136364769, i64 1370367813, i64 798286522, i64 506003017, i64 2520802485, i64 2991500316, i64 3489134272, i64 3275208410, i64 1640252809, i64 3797759893, i64 4271912220, i64 3111882026, i64 140581304, i64 2568658569, i64 2686841033, i64 3059852298, i64 293994524, i64 1890650113, i64 1797269750, i64 3428669802, i64 1401714789, i64 2643788909, i64 3727894469, i64 2833360921, i64 1622853283, i64 3832221927, i64 277065458, i64 3711010937, i64 4192871202, i64 3356722694, i64 680496635, i64 2574997514, i64 1476265004, i64 3232676806, i64 3318710975, i64 4210635059, i64 4159903992, i64 2116300560, i64 2532158399, i64 718792604, i64 2539969944, i64 3164133583, i64 2649636591, i64 2200349072, i64 2851998122, i64 670873689, i64 2613796143, i64 3562264788, i64 1174445287, i64 1149173203, i64 2225964784, i64 4266377361, i64 3119455410, i64 1518371465, i64 1816545474, i64 2516586762, i64 240910660, i64 2681595121, i64 1301176317, i64 3127753611, i64 862342957, i64 771183330, i64 438085196, i64 1046497567, i64 922186079, i64 1222939296, i64 51184555, i64 1757804190, i64 426665187, i64 2730510776, i64 2573705612, i64 1312406577, i64 667742236, i64 3239950393, i64 2582034960, i64 3759737929, i64 1601926242, i64 2947737408, i64 975540284, i64 1285948639, i64 3761027786, i64 1226457986, i64 34782949, i64 2916146832, i64 142734034, i64 569716755, i64 4042990521, i64 3947471773, i64 1575951506, i64 3517313596, i64 3100986137, i64 2199197158, i64 3376719924, i64 4087139828, i64 3705107125, i64 1482533137, i64 1541227668, i64 1678953742, i64 2056318769, i64 3045003063, i64 1622629937, i64 487578169, i64 4137196231, i64 3764647071, i64 2241527512, i64 2558474063, i64 1038354351, i64 2094837850, i64 2481932343, i64 3229539130, i64 3756851151, i64 1006180559, i64 4181103103, i64 3565909441, i64 2371373280, i64 1493415041, i64 160348120, i64 1285104017, i64 3595587370, i64 4264242568, i64 1161124915, i64 2042766103, i64 737713932, i64 3481808155, i64 478389208, i64 1300643225, i64 1007986266, i64 1168231653, i64 3652705112, i64 2909421388, i64 3924670764, i64 1731016690, i64 4084014919, i64 4205099837, i64 1373900512, i64 2937538864, i64 2730075174, i64 957417377, i64 3258199283, i64 87174175, i64 792789163, i64 2527971304, i64 2716998340, i64 3091367825, i64 97659251, i64 1782441684, i64 919015551, i64 735476370, i64 87326482, i64 926205331, i64 1888657273, i64 3715638227, i64 1715499660, i64 1922410526, i64 4175228089, i64 1525608673, i64 3578587616, i64 2042086160, i64 3730509879, i64 3607443975, i64 3879209240, i64 3652717612, i64 2372597521, i64 3471943430, i64 2765853569, i64 3643232056, i64 3297105617, i64 2692883557, i64 1805942063, i64 1394934451, i64 3337180104, i64 1181922214, i64 2331394419, i64 306465830, i64 3736887952, i64 1729663122, i64 3390355091, i64 2379159653, i64 3851731257, i64 4021176185, i64 1079541434, i64 433656928, i64 1831627642, i64 2892512290, i64 4063025724, i64 406246264, i64 1293199350, i64 1120564498, i64 3926678815, i64 1350089133, i64 4273098366, i64 3385122292, i64 993379095, i64 725502136, i64 25504318, i64 752278045, i64 3729298457, i64 2392480235, i64 2657233815, i64 320925812, i64 2950230896, i64 989728679, i64 506301841, i64 1404204260, i64 1413065993, i64 865242585, i64 866785615, i64 1859142878, i64 589268143, i64 775553472, i64 1410495094, i64 1607063978, i64 3888932143, i64 704411669, i64 3513884419, i64 3370826939, i64 2896358996, i64 439226283, i64 2352722741, i64 1626809714, i64 246502175, i64 189424636, i64 1337937966, i64 3719088974, i64 4178799653, i64 2794717891, i64 1831166187, i64 1862432793, i64 2263235392, i64 3847861459, i64 802662362, i64 3621709005, i64 2634319122, i64 3245216029, i64 1466421412, i64 1528864744, i64 349292989, i64 3152395874, i64 3374677426, i64 2279952808, i64 1238578150, i64 107682552, i64 913857966, i64 3747681661, i64 3560958606, i64 3617063034, i64 1988620951, i64 1854864649, i64 1862999556, i64 2962654934, i64 1498851202, i64 2003448718, i64 2942754891, i64 798789550, i64 3882536840, i64 3338815162, i64 3066948065, i64 2057094004, i64 4171611151, i64 4284063395, i64 2325690120, i64 2659914459, i64 165909127, i64 2783186990, i64 2161504072, i64 343671839, i64 2751150377, i64 3621950182, i64 222528329, i64 3219381950, i64 238911006, i64 2710753737, i64 2982111755, i64 1115859074, i64 156211365, i64 228231184, i64 2302165064, i64 933165355, i64 4181545713, i64 2201173365, i64 291303663, i64 19134280, i64 3581811046, i64 68817880, i64 1037069880, i64 2445243929, i64 2507869609, i64 1468655994, i64 2646143627, i64 2709652242, i64 559859542, i64 2657856757, i64 248278651, i64 656698256, i64 2682159578, i64 3542996035, i64 2775252812, i64 1761180115, i64 3646714856, i64 2330951878, i64 834843492, i64 3951905925, i64 744286448, i64 3621804227, i64 2822882772, i64 1168938371, i64 3349647456, i64 672527398, i64 1163635478, i64 3445281068, i64 722448549, i64 3543924788, i64 2823456463, i64 1931863550, i64 2483173049, i64 4148604134, i64 3081487737, i64 2916138664, i64 940193076, i64 4142650279, i64 2563327448, i64 3737140007, i64 2407111514, i64 243557343, i64 1657192483, i64 3995730323, i64 1012445178, i64 2365602253, i64 2830079959, i64 2287658550, i64 2893719730, i64 2373631903, i64 4215513121, i64 189686171, i64 2003138393, i64 3410898923, i64 1020530876, i64 1103312993, i64 1976606742, i64 899447370, i64 1949555562, i64 3167671920, i64 595304244, i64 1919198655, i64 2929333298, i64 619161901, i64 623498751, i64 2063591130, i64 763251111, i64 4291719204, i64 3951567013, i64 2998385089, i64 758818611, i64 1375945828, i64 2510752543, i64 4188334520, i64 121785359, i64 3225750324, i64 1354685949, i64 1643999927, i64 911976986, i64 518523023, i64 3993561529, i64 2326708913, i64 336174575, i64 853096604, i64 2873283550, i64 4022490143, i64 3010604384, i64 2080594943, i64 1702902668, i64 3360749048, i64 4184957279, i64 2421794725, i64 4155016765, i64 3104188113, i64 1576615579, i64 604774175, i64 2739462297, i64 4096823942, i64 1932918233, i64 1779286169, i64 2544260698, i64 1430072091, i64 2196303270, i64 4237199385, i64 2613550760, i64 1481676153, i64 2920297152, i64 2463881971, i64 1098865791, i64 2939219489, i64 2494804283, i64 3108728554, i64 1635052534, i64 2905164258], align 64

; size 120 46
define internal double @cogir_rng_mt19937_uniform(ptr align 8 dereferenceable(5016) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 624
  %position.3 = load i64, ptr %v2
  %v4 = icmp slt i64 %position.3, 623
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = add i64 %position.3, 627
  %v6 = icmp slt i64 %position.3, 0
  %v7 = select i1 %v6, i64 %v5, i64 %position.3
  %v8 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %v9 = call i64 @llvm.smin.i64(i64 %v8, i64 626)
  %v10 = getelementptr inbounds i64, ptr %words.1, i64 %v9
  %v11 = load i64, ptr %v10
  %high.12 = call i64 @cogir_mt19937_temper(i64 %v11)
  %v13 = add i64 %position.3, 1
  %v14 = add i64 %v13, 627
  %v15 = icmp slt i64 %v13, 0
  %v16 = select i1 %v15, i64 %v14, i64 %v13
  %v17 = call i64 @llvm.smax.i64(i64 %v16, i64 0)
  %v18 = call i64 @llvm.smin.i64(i64 %v17, i64 626)
  %v19 = getelementptr inbounds i64, ptr %words.1, i64 %v18
  %v20 = load i64, ptr %v19
  %low.21 = call i64 @cogir_mt19937_temper(i64 %v20)
  %v22 = add i64 %position.3, 2
  %v23 = getelementptr inbounds i64, ptr %words.1, i32 624
  store i64 %v22, ptr %v23
  br label %b3
b2:
  %high.24 = call i64 @cogir_mt19937_next(ptr %words.1)
  %low.25 = call i64 @cogir_mt19937_next(ptr %words.1)
  br label %b3
b3:
  %v26 = phi i64 [ %high.12, %b1 ], [ %high.24, %b2 ]
  %v27 = phi i64 [ %low.21, %b1 ], [ %low.25, %b2 ]
  %v28 = ashr i64 %v26, 5
  %v29 = sitofp i64 %v28 to double
  %v30 = fmul double %v29, 0x4190000000000000
  %v31 = ashr i64 %v27, 6
  %v32 = sitofp i64 %v31 to double
  %v33 = fadd double %v30, %v32
  %v34 = fmul double %v33, 0x3CA0000000000000
  ret double %v34
}

; size 1225 486
define internal double @cogir_rng_philox4x64_beta(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, double noundef %a.2, double noundef %b.3) nounwind noinline {
b0:
  %v4 = fcmp ogt double %a.2, 0x0000000000000000
  %v5 = fcmp ogt double %b.3, 0x0000000000000000
  %v6 = and i1 %v4, %v5
  br i1 %v6, label %b1, label %b20
b1:
  %v7 = fcmp ole double %a.2, 0x3FF0000000000000
  %v8 = fcmp ole double %b.3, 0x3FF0000000000000
  %v9 = and i1 %v7, %v8
  br i1 %v9, label %b2, label %b18
b2:
  %v10 = fcmp olt double %a.2, 0x2AA580658CB6CCB0
  %v11 = fcmp olt double %b.3, 0x2AA580658CB6CCB0
  %v12 = and i1 %v10, %v11
  br i1 %v12, label %b3, label %b4
b3:
  %u.13 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v14 = fadd double %a.2, %b.3
  %v15 = fmul double %v14, %u.13
  %v16 = fcmp olt double %v15, %a.2
  %value.17 = select i1 %v16, double 0x3FF0000000000000, double 0x0000000000000000
  br label %b5
b4:
  br label %b5
b5:
  %v18 = phi double [ %value.17, %b3 ], [ 0x0000000000000000, %b4 ]
  %v19 = phi i1 [ false, %b3 ], [ true, %b4 ]
  br label %b6
b6:
  %waiting.20 = phi i1 [ %v19, %b5 ], [ %v54, %b16 ]
  %value.21 = phi double [ %v18, %b5 ], [ %v55, %b16 ]
  br i1 %waiting.20, label %b7, label %b17
b7:
  %u.22 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v.23 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %y.24 = fdiv double 0x3FF0000000000000, %a.2
  %x.25 = call double @pow(double %u.22, double %y.24) nobuiltin
  %y.26 = fdiv double 0x3FF0000000000000, %b.3
  %y.27 = call double @pow(double %v.23, double %y.26) nobuiltin
  %total.28 = fadd double %x.25, %y.27
  %v29 = fcmp ole double %total.28, 0x3FF0000000000000
  %v30 = fadd double %u.22, %v.23
  %v31 = fcmp ogt double %v30, 0x0000000000000000
  %v32 = and i1 %v29, %v31
  br i1 %v32, label %b8, label %b15
b8:
  %v33 = fcmp ogt double %x.25, 0x0000000000000000
  %v34 = fcmp ogt double %y.27, 0x0000000000000000
  %v35 = and i1 %v33, %v34
  br i1 %v35, label %b9, label %b10
b9:
  %value.36 = fdiv double %x.25, %total.28
  br label %b14
b10:
  %v37 = call double @log(double %u.22) nobuiltin
  %v38 = fdiv double %v37, %a.2
  %v39 = call double @log(double %v.23) nobuiltin
  %v40 = fdiv double %v39, %b.3
  %difference.41 = fsub double %v38, %v40
  %v42 = fcmp ogt double %difference.41, 0x0000000000000000
  br i1 %v42, label %b11, label %b12
b11:
  %x.43 = fneg double %difference.41
  %x.44 = call double @exp(double %x.43) nobuiltin
  %v45 = call double @log1p(double %x.44) nobuiltin
  %x.46 = fneg double %v45
  %value.47 = call double @exp(double %x.46) nobuiltin
  br label %b13
b12:
  %x.48 = call double @exp(double %difference.41) nobuiltin
  %v49 = call double @log1p(double %x.48) nobuiltin
  %x.50 = fsub double %difference.41, %v49
  %value.51 = call double @exp(double %x.50) nobuiltin
  br label %b13
b13:
  %v52 = phi double [ %value.47, %b11 ], [ %value.51, %b12 ]
  br label %b14
b14:
  %v53 = phi double [ %value.36, %b9 ], [ %v52, %b13 ]
  br label %b16
b15:
  br label %b16
b16:
  %v54 = phi i1 [ false, %b14 ], [ %waiting.20, %b15 ]
  %v55 = phi double [ %v53, %b14 ], [ %value.21, %b15 ]
  br label %b6
b17:
  br label %b19
b18:
  %x.56 = call double @cogir_philox4x64_gamma(ptr %words.1, double %a.2)
  %y.57 = call double @cogir_philox4x64_gamma(ptr %words.1, double %b.3)
  %v58 = fadd double %x.56, %y.57
  %value.59 = fdiv double %x.56, %v58
  br label %b19
b19:
  %v60 = phi double [ %value.21, %b17 ], [ %value.59, %b18 ]
  br label %b21
b20:
  br label %b21
b21:
  %v61 = phi double [ %v60, %b19 ], [ 0x7FF8000000000000, %b20 ]
  ret double %v61
}

; size 345 72
define internal i64 @cogir_rng_philox4x64_binomial(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, i64 noundef %n.2, double noundef %p.3) nounwind noinline {
b0:
  %v4 = icmp ne i64 %n.2, 0
  %v5 = fcmp une double %p.3, 0x0000000000000000
  %v6 = and i1 %v4, %v5
  br i1 %v6, label %b1, label %b50
b1:
  %v7 = icmp sge i64 %n.2, 0
  %v8 = fcmp oge double %p.3, 0x0000000000000000
  %v9 = fcmp ole double %p.3, 0x3FF0000000000000
  %v10 = and i1 %v8, %v9
  %v11 = and i1 %v7, %v10
  br i1 %v11, label %b2, label %b48
b2:
  %v12 = fcmp ole double %p.3, 0x3FE0000000000000
  %v13 = fsub double 0x3FF0000000000000, %p.3
  %small.14 = select i1 %v12, double %p.3, double %v13
  %v15 = sitofp i64 %n.2 to double
  %v16 = fmul double %small.14, %v15
  %v17 = fcmp ole double %v16, 0x403E000000000000
  br i1 %v17, label %b3, label %b10
b3:
  %v18 = fneg double %small.14
  %v19 = call double @log1p(double %v18) nobuiltin
  %v20 = sitofp i64 %n.2 to double
  %v21 = fmul double %v20, %v19
  %none.22 = call double @exp(double %v21) nobuiltin
  %q.23 = fsub double 0x3FF0000000000000, %small.14
  %v24 = sitofp i64 %n.2 to double
  %mean.25 = fmul double %v24, %small.14
  %v26 = sitofp i64 %n.2 to double
  %v27 = fmul double %mean.25, %q.23
  %v28 = fadd double %v27, 0x3FF0000000000000
  %v29 = call double @llvm.sqrt.f64(double %v28)
  %v30 = fmul double 0x4024000000000000, %v29
  %v31 = fadd double %mean.25, %v30
  %v32 = fcmp olt double %v31, %v26
  %v33 = select i1 %v32, double %v31, double %v26
  %v34 = call double @llvm.fabs.f64(double %v33)
  %v35 = fcmp olt double %v34, 0x43E0000000000000
  %v36 = select i1 %v35, double %v33, double 0x0000000000000000
  %v37 = fptosi double %v36 to i64
  %bound.38 = select i1 %v35, i64 %v37, i64 -9223372036854775808
  %u.39 = call double @cogir_philox4x64_uniform(ptr %words.1)
  br label %b4
b4:
  %value.40 = phi i64 [ 0, %b3 ], [ %v56, %b8 ]
  %probability.41 = phi double [ %none.22, %b3 ], [ %v57, %b8 ]
  %u.42 = phi double [ %u.39, %b3 ], [ %v58, %b8 ]
  %v43 = fcmp ogt double %u.42, %probability.41
  br i1 %v43, label %b5, label %b9
b5:
  %value.44 = add i64 %value.40, 1
  %v45 = icmp sgt i64 %value.44, %bound.38
  br i1 %v45, label %b6, label %b7
b6:
  %u.46 = call double @cogir_philox4x64_uniform(ptr %words.1)
  br label %b8
b7:
  %u.47 = fsub double %u.42, %probability.41
  %v48 = sub i64 %n.2, %value.44
  %v49 = add i64 %v48, 1
  %v50 = sitofp i64 %v49 to double
  %v51 = fmul double %v50, %small.14
  %v52 = fmul double %v51, %probability.41
  %v53 = sitofp i64 %value.44 to double
  %v54 = fmul double %v53, %q.23
  %probability.55 = fdiv double %v52, %v54
  br label %b8
b8:
  %v56 = phi i64 [ 0, %b6 ], [ %value.44, %b7 ]
  %v57 = phi double [ %none.22, %b6 ], [ %probability.55, %b7 ]
  %v58 = phi double [ %u.46, %b6 ], [ %u.47, %b7 ]
  br label %b4
b9:
  br label %b44
b10:
  %v59 = fsub double 0x3FF0000000000000, %small.14
  %v60 = fcmp olt double %v59, %small.14
  %r.61 = select i1 %v60, double %v59, double %small.14
  %q.62 = fsub double 0x3FF0000000000000, %r.61
  %v63 = sitofp i64 %n.2 to double
  %v64 = fmul double %v63, %r.61
  %fm.65 = fadd double %v64, %r.61
  %v66 = call double @llvm.floor.f64(double %fm.65)
  %v67 = call double @llvm.fabs.f64(double %v66)
  %v68 = fcmp olt double %v67, 0x43E0000000000000
  %v69 = select i1 %v68, double %v66, double 0x0000000000000000
  %v70 = fptosi double %v69 to i64
  %m.71 = select i1 %v68, i64 %v70, i64 -9223372036854775808
  %v72 = sitofp i64 %n.2 to double
  %v73 = fmul double %v72, %r.61
  %v74 = fmul double %v73, %q.62
  %v75 = call double @llvm.sqrt.f64(double %v74)
  %v76 = fmul double 0x40018F5C28F5C28F, %v75
  %v77 = fmul double 0x4012666666666666, %q.62
  %v78 = fsub double %v76, %v77
  %v79 = call double @llvm.floor.f64(double %v78)
  %p1.80 = fadd double %v79, 0x3FE0000000000000
  %v81 = sitofp i64 %m.71 to double
  %xm.82 = fadd double %v81, 0x3FE0000000000000
  %xl.83 = fsub double %xm.82, %p1.80
  %xr.84 = fadd double %xm.82, %p1.80
  %v85 = sitofp i64 %m.71 to double
  %v86 = fadd double 0x402E99999999999A, %v85
  %v87 = fdiv double 0x4034800000000000, %v86
  %c.88 = fadd double 0x3FC126E978D4FDF4, %v87
  %v89 = fsub double %fm.65, %xl.83
  %v90 = fmul double %xl.83, %r.61
  %v91 = fsub double %fm.65, %v90
  %a.92 = fdiv double %v89, %v91
  %v93 = fdiv double %a.92, 0x4000000000000000
  %v94 = fadd double 0x3FF0000000000000, %v93
  %left.95 = fmul double %a.92, %v94
  %v96 = fsub double %xr.84, %fm.65
  %v97 = fmul double %xr.84, %q.62
  %a.98 = fdiv double %v96, %v97
  %v99 = fdiv double %a.98, 0x4000000000000000
  %v100 = fadd double 0x3FF0000000000000, %v99
  %right.101 = fmul double %a.98, %v100
  %v102 = fmul double 0x4000000000000000, %c.88
  %v103 = fadd double 0x3FF0000000000000, %v102
  %p2.104 = fmul double %p1.80, %v103
  %v105 = fdiv double %c.88, %left.95
  %p3.106 = fadd double %p2.104, %v105
  %v107 = fdiv double %c.88, %right.101
  %p4.108 = fadd double %p3.106, %v107
  br label %b11
b11:
  %y.109 = phi i64 [ 0, %b10 ], [ %v288, %b42 ]
  %waiting.110 = phi i1 [ true, %b10 ], [ %v289, %b42 ]
  br i1 %waiting.110, label %b12, label %b43
b12:
  %u.111 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v.112 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %u.113 = fmul double %u.111, %p4.108
  %v114 = fcmp ole double %u.113, %p1.80
  br i1 %v114, label %b13, label %b14
b13:
  %v115 = fmul double %p1.80, %v.112
  %v116 = fsub double %xm.82, %v115
  %v117 = fadd double %v116, %u.113
  %v118 = call double @llvm.floor.f64(double %v117)
  %v119 = call double @llvm.fabs.f64(double %v118)
  %v120 = fcmp olt double %v119, 0x43E0000000000000
  %v121 = select i1 %v120, double %v118, double 0x0000000000000000
  %v122 = fptosi double %v121 to i64
  %y.123 = select i1 %v120, i64 %v122, i64 -9223372036854775808
  br label %b42
b14:
  %v124 = fcmp ole double %u.113, %p2.104
  br i1 %v124, label %b15, label %b16
b15:
  %v125 = fsub double %u.113, %p1.80
  %v126 = fdiv double %v125, %c.88
  %x.127 = fadd double %xl.83, %v126
  %v128 = fmul double %v.112, %c.88
  %v129 = fadd double %v128, 0x3FF0000000000000
  %v130 = sitofp i64 %m.71 to double
  %v131 = fsub double %v130, %x.127
  %v132 = fadd double %v131, 0x3FE0000000000000
  %v133 = call double @llvm.fabs.f64(double %v132)
  %v134 = fdiv double %v133, %p1.80
  %v.135 = fsub double %v129, %v134
  %v136 = call double @llvm.floor.f64(double %x.127)
  %v137 = call double @llvm.fabs.f64(double %v136)
  %v138 = fcmp olt double %v137, 0x43E0000000000000
  %v139 = select i1 %v138, double %v136, double 0x0000000000000000
  %v140 = fptosi double %v139 to i64
  %y.141 = select i1 %v138, i64 %v140, i64 -9223372036854775808
  %compared.142 = fcmp ole double %v.135, 0x3FF0000000000000
  br label %b23
b16:
  %v143 = fcmp ogt double %v.112, 0x0000000000000000
  br i1 %v143, label %b17, label %b21
b17:
  %v144 = fcmp ole double %u.113, %p3.106
  br i1 %v144, label %b18, label %b19
b18:
  %v145 = call double @log(double %v.112) nobuiltin
  %v146 = fdiv double %v145, %left.95
  %v147 = fadd double %xl.83, %v146
  %v148 = call double @llvm.floor.f64(double %v147)
  %v149 = call double @llvm.fabs.f64(double %v148)
  %v150 = fcmp olt double %v149, 0x43E0000000000000
  %v151 = select i1 %v150, double %v148, double 0x0000000000000000
  %v152 = fptosi double %v151 to i64
  %y.153 = select i1 %v150, i64 %v152, i64 -9223372036854775808
  %compared.154 = icmp sge i64 %y.153, 0
  %v155 = fsub double %u.113, %p2.104
  %v156 = fmul double %v.112, %v155
  %v.157 = fmul double %v156, %left.95
  br label %b20
b19:
  %v158 = call double @log(double %v.112) nobuiltin
  %v159 = fdiv double %v158, %right.101
  %v160 = fsub double %xr.84, %v159
  %v161 = call double @llvm.floor.f64(double %v160)
  %v162 = call double @llvm.fabs.f64(double %v161)
  %v163 = fcmp olt double %v162, 0x43E0000000000000
  %v164 = select i1 %v163, double %v161, double 0x0000000000000000
  %v165 = fptosi double %v164 to i64
  %y.166 = select i1 %v163, i64 %v165, i64 -9223372036854775808
  %compared.167 = icmp sle i64 %y.166, %n.2
  %v168 = fsub double %u.113, %p3.106
  %v169 = fmul double %v.112, %v168
  %v.170 = fmul double %v169, %right.101
  br label %b20
b20:
  %v171 = phi i64 [ %y.153, %b18 ], [ %y.166, %b19 ]
  %v172 = phi double [ %v.157, %b18 ], [ %v.170, %b19 ]
  %v173 = phi i1 [ %compared.154, %b18 ], [ %compared.167, %b19 ]
  br label %b22
b21:
  br label %b22
b22:
  %v174 = phi i64 [ %v171, %b20 ], [ %y.109, %b21 ]
  %v175 = phi double [ %v172, %b20 ], [ %v.112, %b21 ]
  %v176 = phi i1 [ %v173, %b20 ], [ false, %b21 ]
  br label %b23
b23:
  %y.177 = phi i64 [ %y.141, %b15 ], [ %v174, %b22 ]
  %v.178 = phi double [ %v.135, %b15 ], [ %v175, %b22 ]
  %v179 = phi i1 [ %compared.142, %b15 ], [ %v176, %b22 ]
  br i1 %v179, label %b24, label %b40
b24:
  %v180 = sitofp i64 %n.2 to double
  %v181 = fmul double %v180, %r.61
  %spread.182 = fmul double %v181, %q.62
  %v183 = sub i64 %y.177, %m.71
  %v184 = icmp slt i64 %v183, 0
  %v185 = sub i64 0, %v183
  %k.186 = select i1 %v184, i64 %v185, i64 %v183
  %v187 = icmp sgt i64 %k.186, 20
  %v188 = fdiv double %spread.182, 0x4000000000000000
  %v189 = fsub double %v188, 0x3FF0000000000000
  %v190 = call i64 @cogir_order_of(i64 %k.186, double %v189)
  %v191 = icmp slt i64 %v190, 0
  %v192 = and i1 %v187, %v191
  br i1 %v192, label %b25, label %b32
b25:
  %v193 = sitofp i64 %k.186 to double
  %v194 = fdiv double %v193, %spread.182
  %v195 = sitofp i64 %k.186 to double
  %v196 = fdiv double %v195, 0x4008000000000000
  %v197 = fadd double %v196, 0x3FE4000000000000
  %v198 = sitofp i64 %k.186 to double
  %v199 = fmul double %v198, %v197
  %v200 = fadd double %v199, 0x3FC5555555555555
  %v201 = fdiv double %v200, %spread.182
  %v202 = fadd double %v201, 0x3FE0000000000000
  %rho.203 = fmul double %v194, %v202
  %v204 = sub i64 0, %k.186
  %v205 = mul i64 %v204, %k.186
  %v206 = fmul double 0x4000000000000000, %spread.182
  %v207 = sitofp i64 %v205 to double
  %t.208 = fdiv double %v207, %v206
  %height.209 = call double @log(double %v.178) nobuiltin
  %v210 = fsub double %t.208, %rho.203
  %v211 = fcmp olt double %height.209, %v210
  br i1 %v211, label %b26, label %b27
b26:
  br label %b31
b27:
  %v212 = fadd double %t.208, %rho.203
  %v213 = fcmp ole double %height.209, %v212
  br i1 %v213, label %b28, label %b29
b28:
  %v214 = sitofp i64 %y.177 to double
  %x1.215 = fadd double %v214, 0x3FF0000000000000
  %v216 = sitofp i64 %m.71 to double
  %f1.217 = fadd double %v216, 0x3FF0000000000000
  %v218 = sitofp i64 %n.2 to double
  %v219 = fadd double %v218, 0x3FF0000000000000
  %v220 = sitofp i64 %m.71 to double
  %z.221 = fsub double %v219, %v220
  %v222 = sub i64 %n.2, %y.177
  %v223 = sitofp i64 %v222 to double
  %w.224 = fadd double %v223, 0x3FF0000000000000
  %x.225 = fdiv double %f1.217, %x1.215
  %v226 = call double @log(double %x.225) nobuiltin
  %v227 = fmul double %xm.82, %v226
  %v228 = sub i64 %n.2, %m.71
  %v229 = sitofp i64 %v228 to double
  %v230 = fadd double %v229, 0x3FE0000000000000
  %x.231 = fdiv double %z.221, %w.224
  %v232 = call double @log(double %x.231) nobuiltin
  %v233 = fmul double %v230, %v232
  %v234 = fadd double %v227, %v233
  %v235 = sub i64 %y.177, %m.71
  %v236 = fmul double %w.224, %r.61
  %v237 = fmul double %x1.215, %q.62
  %x.238 = fdiv double %v236, %v237
  %v239 = call double @log(double %x.238) nobuiltin
  %v240 = sitofp i64 %v235 to double
  %v241 = fmul double %v240, %v239
  %v242 = fadd double %v234, %v241
  %v243 = fmul double %f1.217, %f1.217
  %v244 = call double @cogir_stirling_rest(double %f1.217, double %v243)
  %v245 = fadd double %v242, %v244
  %v246 = fmul double %z.221, %z.221
  %v247 = call double @cogir_stirling_rest(double %z.221, double %v246)
  %v248 = fadd double %v245, %v247
  %v249 = fmul double %x1.215, %x1.215
  %v250 = call double @cogir_stirling_rest(double %x1.215, double %v249)
  %v251 = fadd double %v248, %v250
  %v252 = fmul double %w.224, %w.224
  %v253 = call double @cogir_stirling_rest(double %w.224, double %v252)
  %limit.254 = fadd double %v251, %v253
  %v255 = fcmp ogt double %height.209, %limit.254
  %accepted.256 = xor i1 %v255, true
  br label %b30
b29:
  br label %b30
b30:
  %v257 = phi i1 [ %accepted.256, %b28 ], [ false, %b29 ]
  br label %b31
b31:
  %v258 = phi i1 [ true, %b26 ], [ %v257, %b30 ]
  br label %b39
b32:
  %s.259 = fdiv double %r.61, %q.62
  %v260 = add i64 %n.2, 1
  %v261 = sitofp i64 %v260 to double
  %a.262 = fmul double %s.259, %v261
  %v263 = add i64 %m.71, 1
  %v264 = add i64 %y.177, 1
  br label %b33
b33:
  %i.265 = phi i64 [ %v263, %b32 ], [ %v272, %b34 ]
  %factor.266 = phi double [ 0x3FF0000000000000, %b32 ], [ %factor.271, %b34 ]
  %v267 = icmp slt i64 %i.265, %v264
  br i1 %v267, label %b34, label %b35
b34:
  %v268 = sitofp i64 %i.265 to double
  %v269 = fdiv double %a.262, %v268
  %v270 = fsub double %v269, %s.259
  %factor.271 = fmul double %factor.266, %v270
  %v272 = add i64 %i.265, 1
  br label %b33
b35:
  %v273 = add i64 %y.177, 1
  %v274 = add i64 %m.71, 1
  br label %b36
b36:
  %i.275 = phi i64 [ %v273, %b35 ], [ %v282, %b37 ]
  %factor.276 = phi double [ %factor.266, %b35 ], [ %factor.281, %b37 ]
  %v277 = icmp slt i64 %i.275, %v274
  br i1 %v277, label %b37, label %b38
b37:
  %v278 = sitofp i64 %i.275 to double
  %v279 = fdiv double %a.262, %v278
  %v280 = fsub double %v279, %s.259
  %factor.281 = fdiv double %factor.276, %v280
  %v282 = add i64 %i.275, 1
  br label %b36
b38:
  %v283 = fcmp ogt double %v.178, %factor.276
  %accepted.284 = xor i1 %v283, true
  br label %b39
b39:
  %v285 = phi i1 [ %v258, %b31 ], [ %accepted.284, %b38 ]
  %waiting.286 = xor i1 %v285, true
  br label %b41
b40:
  br label %b41
b41:
  %v287 = phi i1 [ %waiting.286, %b39 ], [ %waiting.110, %b40 ]
  br label %b42
b42:
  %v288 = phi i64 [ %y.123, %b13 ], [ %y.177, %b41 ]
  %v289 = phi i1 [ false, %b13 ], [ %v287, %b41 ]
  br label %b11
b43:
  br label %b44
b44:
  %v290 = phi i64 [ %value.40, %b9 ], [ %y.109, %b43 ]
  %v291 = fcmp ogt double %p.3, 0x3FE0000000000000
  br i1 %v291, label %b45, label %b46
b45:
  %value.292 = sub i64 %n.2, %v290
  br label %b47
b46:
  br label %b47
b47:
  %v293 = phi i64 [ %value.292, %b45 ], [ %v290, %b46 ]
  br label %b49
b48:
  br label %b49
b49:
  %value.294 = phi i64 [ %v293, %b47 ], [ -1, %b48 ]
  br label %b54
b50:
  %v295 = icmp sge i64 %n.2, 0
  %v296 = fcmp oge double %p.3, 0x0000000000000000
  %v297 = fcmp ole double %p.3, 0x3FF0000000000000
  %v298 = and i1 %v296, %v297
  %v299 = and i1 %v295, %v298
  %v300 = xor i1 %v299, true
  br i1 %v300, label %b51, label %b52
b51:
  br label %b53
b52:
  br label %b53
b53:
  %v301 = phi i64 [ -1, %b51 ], [ 0, %b52 ]
  br label %b54
b54:
  %v302 = phi i64 [ %value.294, %b49 ], [ %v301, %b53 ]
  ret i64 %v302
}

; size 98 41
define internal double @cogir_rng_philox4x64_exponential(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  br label %b1
b1:
  %value.2 = phi double [ 0x0000000000000000, %b0 ], [ %v61, %b8 ]
  %waiting.3 = phi i1 [ true, %b0 ], [ %v62, %b8 ]
  br i1 %waiting.3, label %b2, label %b9
b2:
  %bits.4 = call i64 @cogir_philox4x64_next(ptr %words.1)
  %v5 = lshr i64 %bits.4, 3
  %layer.6 = and i64 %v5, 255
  %distance.7 = lshr i64 %bits.4, 11
  %v8 = sitofp i64 %distance.7 to double
  %v9 = add i64 %layer.6, 256
  %v10 = icmp slt i64 %layer.6, 0
  %v11 = select i1 %v10, i64 %v9, i64 %layer.6
  %v12 = call i64 @llvm.smax.i64(i64 %v11, i64 0)
  %v13 = call i64 @llvm.smin.i64(i64 %v12, i64 255)
  %v14 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_exponential_constant_0, i64 %v13
  %v15 = load double, ptr %v14
  %value.16 = fmul double %v8, %v15
  %v17 = add i64 %layer.6, 256
  %v18 = icmp slt i64 %layer.6, 0
  %v19 = select i1 %v18, i64 %v17, i64 %layer.6
  %v20 = call i64 @llvm.smax.i64(i64 %v19, i64 0)
  %v21 = call i64 @llvm.smin.i64(i64 %v20, i64 255)
  %v22 = getelementptr inbounds i64, ptr @cogir_rng_philox4x64_exponential_constant_1, i64 %v21
  %v23 = load i64, ptr %v22
  %v24 = icmp slt i64 %distance.7, %v23
  br i1 %v24, label %b3, label %b4
b3:
  br label %b8
b4:
  %u.25 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v26 = icmp eq i64 %layer.6, 0
  br i1 %v26, label %b5, label %b6
b5:
  %v27 = fneg double %u.25
  %v28 = call double @log1p(double %v27) nobuiltin
  %value.29 = fsub double 0x401EC9D9297EBB83, %v28
  br label %b7
b6:
  %v30 = sub i64 %layer.6, 1
  %v31 = add i64 %v30, 256
  %v32 = icmp slt i64 %v30, 0
  %v33 = select i1 %v32, i64 %v31, i64 %v30
  %v34 = call i64 @llvm.smax.i64(i64 %v33, i64 0)
  %v35 = call i64 @llvm.smin.i64(i64 %v34, i64 255)
  %v36 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_exponential_constant_2, i64 %v35
  %v37 = load double, ptr %v36
  %v38 = add i64 %layer.6, 256
  %v39 = icmp slt i64 %layer.6, 0
  %v40 = select i1 %v39, i64 %v38, i64 %layer.6
  %v41 = call i64 @llvm.smax.i64(i64 %v40, i64 0)
  %v42 = call i64 @llvm.smin.i64(i64 %v41, i64 255)
  %v43 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_exponential_constant_2, i64 %v42
  %v44 = load double, ptr %v43
  %v45 = fsub double %v37, %v44
  %v46 = fmul double %v45, %u.25
  %v47 = add i64 %layer.6, 256
  %v48 = icmp slt i64 %layer.6, 0
  %v49 = select i1 %v48, i64 %v47, i64 %layer.6
  %v50 = call i64 @llvm.smax.i64(i64 %v49, i64 0)
  %v51 = call i64 @llvm.smin.i64(i64 %v50, i64 255)
  %v52 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_exponential_constant_2, i64 %v51
  %v53 = load double, ptr %v52
  %height.54 = fadd double %v46, %v53
  %v55 = fneg double %value.16
  %v56 = call double @exp(double %v55) nobuiltin
  %v57 = fcmp olt double %height.54, %v56
  %waiting.58 = xor i1 %v57, true
  br label %b7
b7:
  %v59 = phi double [ %value.29, %b5 ], [ %value.16, %b6 ]
  %v60 = phi i1 [ false, %b5 ], [ %waiting.58, %b6 ]
  br label %b8
b8:
  %v61 = phi double [ %value.16, %b3 ], [ %v59, %b7 ]
  %v62 = phi i1 [ false, %b3 ], [ %v60, %b7 ]
  br label %b1
b9:
  ret double %value.2
}

@cogir_rng_philox4x64_exponential_constant_0 = internal constant [256 x double] [double 0x3CD164EC94BF5DC1, double 0x3C60589D8B5D4119, double 0x3C6AD6B2495B4D2B, double 0x3C719335A95B8DBA, double 0x3C7522E6E54A2A73, double 0x3C785090FBC27A80, double 0x3C7B38D1EF79B7CC, double 0x3C7DECD8B76DBD98, double 0x3C803BF049C65C3C, double 0x3C8170DB24D6F670, double 0x3C82980290DA2633, double 0x3C83B388FE3D6ECA, double 0x3C84C515C60BFE21, double 0x3C85CDF89D024AC3, double 0x3C86CF40F0A72BBD, double 0x3C87C9CDDA17D019, double 0x3C88BE5954D3606F, double 0x3C89AD80552237D2, double 0x3C8A97C8BE5D5203, double 0x3C8B7DA5DDDDA3C4, double 0x3C8C5F7BD78C3F89, double 0x3C8D3DA24DF17C36, double 0x3C8E186678F1735A, double 0x3C8EF00CCF5F4FAA, double 0x3C8FC4D25D683209, double 0x3C904B76ED6A7558, double 0x3C90B348479B80FC, double 0x3C9119F38749F5AF, double 0x3C917F8CEB4BDFA0, double 0x3C91E426E93E49E7, double 0x3C9247D26538FF2E, double 0x3C92AA9EE123680B, double 0x3C930C9AA526DA4B, double 0x3C936DD2E26D8202, double 0x3C93CE53D12162A0, double 0x3C942E28CA706748, double 0x3C948D5C5F35E712, double 0x3C94EBF86BCD0B93, double 0x3C954A0629786F4D, double 0x3C95A78E3DB8BEFD, double 0x3C960498C7DD2ECF, double 0x3C96612D6D0C68E0, double 0x3C96BD5362FAA944, double 0x3C971911797990BB, double 0x3C97746E23077973, double 0x3C97CF6F7C7E8172, double 0x3C982A1B53FED599, double 0x3C9884772F2BE1EC, double 0x3C98DE8850D0C52A, double 0x3C993853BDFDA244, double 0x3C9991DE42AD1338, double 0x3C99EB2C75FF03BF, double 0x3C9A4442BE14884A, double 0x3C9A9D255396D261, double 0x3C9AF5D844F224C9, double 0x3C9B4E5F794C979B, double 0x3C9BA6BEB33F8F89, double 0x3C9BFEF99359FE99, double 0x3C9C57139A70D29F, double 0x3C9CAF102BC25ADB, double 0x3C9D06F28EF0E6FB, double 0x3C9D5EBDF1D86B8D, double 0x3C9DB6756A429057, double 0x3C9E0E1BF77C31FE, double 0x3C9E65B483CF1044, double 0x3C9EBD41E5E21B62, double 0x3C9F14C6E202949F, double 0x3C9F6C462B57FEB5, double 0x3C9FC3C26504A9A1, double 0x3CA00D9F119A3CD9, double 0x3CA0395DF60DB162, double 0x3CA0651F1C7276F8, double 0x3CA090E3BB4B0072, double 0x3CA0BCAD03710137, double 0x3CA0E87C207A2F66, double 0x3CA114523917AC15, double 0x3CA140306F707DBE, double 0x3CA16C17E1777FFB, double 0x3CA19809A93D2396, double 0x3CA1C406DD3D5283, double 0x3CA1F01090A9C4E2, double 0x3CA21C27D3B10E05, double 0x3CA2484DB3C2A329, double 0x3CA274833BD0189F, double 0x3CA2A0C9748BCDAA, double 0x3CA2CD2164A53B5D, double 0x3CA2F98C11031721, double 0x3CA3260A7CFB7611, double 0x3CA3529DAA8A1BA1, double 0x3CA37F469A851AF0, double 0x3CA3AC064CCFEFFC, double 0x3CA3D8DDC08D336D, double 0x3CA405CDF44F09C4, double 0x3CA432D7E6466CD0, double 0x3CA45FFC94716CA7, double 0x3CA48D3CFCC883C4, double 0x3CA4BA9A1D6B18A4, double 0x3CA4E814F4CB45EA, double 0x3CA515AE81D900FB, double 0x3CA54367C42CB5F8, double 0x3CA57141BC316F27, double 0x3CA59F3D6B4E9CF9, double 0x3CA5CD5BD4119335, double 0x3CA5FB9DFA56CF26, double 0x3CA62A04E3731A2E, double 0x3CA65891965C9B8C, double 0x3CA687451BD3EBEE, double 0x3CA6B6207E8D3CDF, double 0x3CA6E524CB59A608, double 0x3CA714531150A9FB, double 0x3CA743AC61FA041C, double 0x3CA77331D177D130, double 0x3CA7A2E476B1240A, double 0x3CA7D2C56B7D17F7, double 0x3CA802D5CCCE7277, double 0x3CA83316BADFE62A, double 0x3CA86389596108E7, double 0x3CA8942ECFA40F54, double 0x3CA8C50848CC6094, double 0x3CA8F616F3FE1513, double 0x3CA9275C048E73E1, double 0x3CA958D8B235828A, double 0x3CA98A8E3940BBF4, double 0x3CA9BC7DDAC7035D, double 0x3CA9EEA8DCDDE951, double 0x3CAA21108AD0592D, double 0x3CAA53B63556C690, double 0x3CAA869B32D0F30F, double 0x3CAAB9C0DF81657A, double 0x3CAAED289DCAACFF, double 0x3CAB20D3D66E8BB5, double 0x3CAB54C3F8CF2542, double 0x3CAB88FA7B324FB6, double 0x3CABBD78DB072610, double 0x3CABF2409D2DFD85, double 0x3CAC27534E42E02D, double 0x3CAC5CB282EAB1A4, double 0x3CAC925FD82323FB, double 0x3CACC85CF395A56C, double 0x3CACFEAB83ED7180, double 0x3CAD354D4130F2AD, double 0x3CAD6C43ED1EA3FE, double 0x3CADA391538DA50A, double 0x3CADDB374AD2357F, double 0x3CAE1337B426509B, double 0x3CAE4B947C16A452, double 0x3CAE844F9AF4237F, double 0x3CAEBD6B154A7678, double 0x3CAEF6E8FC5B9168, double 0x3CAF30CB6EA0BC7F, double 0x3CAF6B1498515ED0, double 0x3CAFA5C6B3EFE1E5, double 0x3CAFE0E40ADD09D8, double 0x3CB00E377AF911D4, double 0x3CB02C34EF11391B, double 0x3CB04A6B9E9224A3, double 0x3CB068DCCF1126DB, double 0x3CB08789CF3AAD0F, double 0x3CB0A673F733C819, double 0x3CB0C59CA900946F, double 0x3CB0E50550EFCFB7, double 0x3CB104AF660BEFCE, double 0x3CB1249C6A92154A, double 0x3CB144CDEC6F3A2B, double 0x3CB1654585C404C1, double 0x3CB18604DD6FAE9E, double 0x3CB1A70DA7A27820, double 0x3CB1C861A6782A5A, double 0x3CB1EA02AA9B3370, double 0x3CB20BF293F0F4A2, double 0x3CB22E33524FE550, double 0x3CB250C6E6403BBA, double 0x3CB273AF61C7DAA6, double 0x3CB296EEE942532B, double 0x3CB2BA87B445DB51, double 0x3CB2DE7C0E962D70, double 0x3CB302CE59265965, double 0x3CB327810B2AA7D0, double 0x3CB34C96B33BC965, double 0x3CB37211F88CA856, double 0x3CB397F59C345143, double 0x3CB3BE447A8D8B83, double 0x3CB3E5018CADDED0, double 0x3CB40C2FE9F5EEAD, double 0x3CB433D2C9BD42F8, double 0x3CB45BED851BC92C, double 0x3CB4848398D39432, double 0x3CB4AD98A75DA14C, double 0x3CB4D7307B1CB127, double 0x3CB5014F08B99508, double 0x3CB52BF871ACAAB2, double 0x3CB5573106F8A75A, double 0x3CB582FD4C1B4461, double 0x3CB5AF61FA38E107, double 0x3CB5DC640388BD9E, double 0x3CB60A0897081879, double 0x3CB63855247B2E94, double 0x3CB6674F60C3F432, double 0x3CB696FD4A9748EE, double 0x3CB6C7652F9A7B1E, double 0x3CB6F88DB1F42507, double 0x3CB72A7DCE5CD218, double 0x3CB75D3CE2BD71C3, double 0x3CB790D2B56B71F9, double 0x3CB7C5477D1476D3, double 0x3CB7FAA3E96E1412, double 0x3CB830F12CC0BEC3, double 0x3CB8683906687342, double 0x3CB8A085CE695BAB, double 0x3CB8D9E2823B3695, double 0x3CB9145AD2F37544, double 0x3CB94FFB34FC2A0E, double 0x3CB98CD0F18D1AD8, double 0x3CB9CAEA3A24D9EA, double 0x3CBA0A563E49F178, double 0x3CBA4B2543E84C3B, double 0x3CBA8D68C2AD86EA, double 0x3CBAD13382D845C4, double 0x3CBB1699C003B60A, double 0x3CBB5DB15091EA0F, double 0x3CBBA691D276DA5E, double 0x3CBBF154DE4BEF77, double 0x3CBC3E1641C2E0A7, double 0x3CBC8CF442C8C8F4, double 0x3CBCDE0FECF2A97F, double 0x3CBD318D6B2738C5, double 0x3CBD87946FEC3BEC, double 0x3CBDE050AF4EF19F, double 0x3CBE3BF26E190960, double 0x3CBE9AAF2AF383C1, double 0x3CBEFCC26750EA4A, double 0x3CBF626E9791F7A7, double 0x3CBFCBFE43F6C6E5, double 0x3CC01CE2B362EC2E, double 0x3CC056118BF58EEF, double 0x3CC091C1CDCBA54E, double 0x3CC0D031785D48A0, double 0x3CC111A8034392A6, double 0x3CC156786775442A, double 0x3CC19F03BCB3C2D6, double 0x3CC1EBBCA0C9FA7C, double 0x3CC23D2BB659919F, double 0x3CC293F5AE49AAA5, double 0x3CC2F0E38A4411F0, double 0x3CC354EE27CCF75E, double 0x3CC3C14EC7C8B861, double 0x3CC4379766E41362, double 0x3CC4B9D7CD4751D1, double 0x3CC54AD83CCF73F6, double 0x3CC5EE7AE17313D2, double 0x3CC6AA676D4BBF72, double 0x3CC78750D6EAC62F, double 0x3CC8939FE6F2ED19, double 0x3CC9E9DC0D487B85, double 0x3CCBC39E51DA71FC, double 0x3CCEC9D9297EBB83], align 64

@cogir_rng_philox4x64_exponential_constant_1 = internal constant [256 x i64] [i64 7971545857431494, i64 0, i64 5485857970336126, i64 6877400373607440, i64 7489560515621038, i64 7829793950745724, i64 8045251395085594, i64 8193552821270898, i64 8301707212298418, i64 8384003209374832, i64 8448689755168200, i64 8500854585063478, i64 8543802742323106, i64 8579772857648236, i64 8610334328270398, i64 8636619566280862, i64 8659465946817878, i64 8679505875409358, i64 8697225801520776, i64 8713005977443536, i64 8727147906454692, i64 8739893704890038, i64 8751440024696698, i64 8761948238062960, i64 8771552003860596, i64 8780362968290610, i64 8788475114930438, i64 8795968123070796, i64 8802909988292858, i64 8809359087581710, i64 8815365821575970, i64 8820973931588800, i64 8826221564107158, i64 8831142137483404, i64 8835765052397426, i64 8840116277974648, i64 8844218838221542, i64 8848093218006260, i64 8851757703688506, i64 8855228670347734, i64 8858520825126080, i64 8861647414312948, i64 8864620400320394, i64 8867450613535032, i64 8870147883110754, i64 8872721150032146, i64 8875178565190242, i64 8877527574738170, i64 8879774994610604, i64 8881927075778634, i64 8883989561556502, i64 8885967738067168, i64 8887866478800856, i64 8889690284057818, i64 8891443315947666, i64 8893129429518482, i64 8894752200505984, i64 8896314950123264, i64 8897820767252858, i64 8899272528353282, i64 8900672915349966, i64 8902024431744704, i64 8903329417147192, i64 8904590060406012, i64 8905808411494018, i64 8906986392283810, i64 8908125806332284, i64 8909228347778946, i64 8910295609450180, i64 8911329090250868, i64 8912330201915374, i64 8913300275181656, i64 8914240565445170, i64 8915152257942916, i64 8916036472512488, i64 8916894267966144, i64 8917726646115692, i64 8918534555480190, i64 8919318894705170, i64 8920080515719156, i64 8920820226650618, i64 8921538794526266, i64 8922236947769418, i64 8922915378515480, i64 8923574744759820, i64 8924215672351958, i64 8924838756848636, i64 8925444565237162, i64 8926033637539416, i64 8926606488305930, i64 8927163608008600, i64 8927705464339880, i64 8928232503425544, i64 8928745150957558, i64 8929243813252980, i64 8929728878244356, i64 8930200716406566, i64 8930659681624710, i64 8931106112007190, i64 8931540330647876, i64 8931962646340834, i64 8932373354250910, i64 8932772736543124, i64 8933161062973652, i64 8933538591444894, i64 8933905568527004, i64 8934262229948010, i64 8934608801054528, i64 8934945497244894, i64 8935272524376414, i64 8935590079148328, i64 8935898349461876, i64 8936197514758882, i64 8936487746340036, i64 8936769207664048, i64 8937042054628744, i64 8937306435835058, i64 8937562492834854, i64 8937810360363402, i64 8938050166557284, i64 8938282033158466, i64 8938506075705162, i64 8938722403710132, i64 8938931120826946, i64 8939132325004766, i64 8939326108632062, i64 8939512558669762, i64 8939691756774158, i64 8939863779409990, i64 8940028697953972, i64 8940186578789100, i64 8940337483389966, i64 8940481468399302, i64 8940618585695992, i64 8940748882454662, i64 8940872401197050, i64 8940989179835208, i64 8941099251706688, i64 8941202645601704, i64 8941299385782368, i64 8941389491993960, i64 8941472979468230, i64 8941549858918698, i64 8941620136527848, i64 8941683813926148, i64 8941740888162738, i64 8941791351667640, i64 8941835192205302, i64 8941872392819226, i64 8941902931767472, i64 8941926782448690, i64 8941943913318396, i64 8941954287795084, i64 8941957864155806, i64 8941954595420724, i64 8941944429226144, i64 8941927307685492, i64 8941903167237602, i64 8941871938481652, i64 8941833545998016, i64 8941787908154234, i64 8941734936895206, i64 8941674537516674, i64 8941606608420918, i64 8941531040853536, i64 8941447718620056, i64 8941356517781006, i64 8941257306323958, i64 8941149943810914, i64 8941034280999228, i64 8940910159434164, i64 8940777411010892, i64 8940635857503634, i64 8940485310059376, i64 8940325568653336, i64 8940156421503112, i64 8939977644438114, i64 8939789000220574, i64 8939590237814000, i64 8939381091594596, i64 8939161280500638, i64 8938930507114326, i64 8938688456670012, i64 8938434795982096, i64 8938169172285110, i64 8937891211977748, i64 8937600519261604, i64 8937296674664432, i64 8936979233436516, i64 8936647723807416, i64 8936301645088910, i64 8935940465608202, i64 8935563620453574, i64 8935170509012442, i64 8934760492279316, i64 8934332889908232, i64 8933886976981030, i64 8933421980459034, i64 8932937075281380, i64 8932431380068266, i64 8931903952381602, i64 8931353783488908, i64 8930779792568492, i64 8930180820284952, i64 8929555621653500, i64 8928902858099222, i64 8928221088602964, i64 8927508759808348, i64 8926764194944404, i64 8925985581394242, i64 8925170956711904, i64 8924318192855506, i64 8923424978364230, i64 8922488798157886, i64 8921506910578770, i64 8920476321224196, i64 8919393753031106, i64 8918255611967910, i64 8917057947558148, i64 8915796407299442, i64 8914466183841290, i64 8913061953535784, i64 8911577804662434, i64 8910007153233212, i64 8908342643782164, i64 8906576031902208, i64 8904698044465300, i64 8902698212389652, i64 8900564669414922, i64 8898283908495804, i64 8895840484961220, i64 8893216652275640, i64 8890391911743352, i64 8887342451323378, i64 8884040440144924, i64 8880453133239800, i64 8876541723776518, i64 8872259855113102, i64 8867551668208538, i64 8862349204777254, i64 8856568902200012, i64 8850106784293916, i64 8842831740745002, i64 8834575940248166, i64 8825120832349124, i64 8814176156651890, i64 8801347484544986, i64 8786084197194146, i64 8767592496903178, i64 8744682338845716, i64 8715480686119910, i64 8676850260251934, i64 8623083654098352, i64 8542525795804796, i64 8406823688997808, i64 8122426762520768], align 64

@cogir_rng_philox4x64_exponential_constant_2 = internal constant [256 x double] [double 0x3FF0000000000000, double 0x3FEE0545E5881137, double 0x3FECD0A65081FFF1, double 0x3FEBE5007BEB7B27, double 0x3FEB210F0EE67F2A, double 0x3FEA76BAA562FAE7, double 0x3FE9DE9715556D9B, double 0x3FE95431C455AA39, double 0x3FE8D4A376D3D22F, double 0x3FE85DE87806C5B8, double 0x3FE7EE8A2D243126, double 0x3FE7856E9B09D47E, double 0x3FE721BB5BA94B63, double 0x3FE6C2C3498418C6, double 0x3FE667FA6D4F5C06, double 0x3FE610EDC1A7AF66, double 0x3FE5BD3D694CAC75, double 0x3FE56C9882DA8773, double 0x3FE51EBA1578899A, double 0x3FE4D366C151F8AF, double 0x3FE48A6AFB8EE069, double 0x3FE44399AFA8E125, double 0x3FE3FECB2BB18B80, double 0x3FE3BBDC44E1D114, double 0x3FE37AADA708DDD9, double 0x3FE33B23450E6318, double 0x3FE2FD23E345DA5E, double 0x3FE2C098B61F4F24, double 0x3FE2856D111132BD, double 0x3FE24B8E228C50A3, double 0x3FE212EABA813EC8, double 0x3FE1DB7319877B89, double 0x3FE1A518C71E3B25, double 0x3FE16FCE6DCE6FEE, double 0x3FE13B87BC33169C, double 0x3FE108394A1CC38D, double 0x3FE0D5D8812B1E2B, double 0x3FE0A45B8854D02A, double 0x3FE073B931EE3B7D, double 0x3FE043E8EBD26548, double 0x3FE014E2B160F324, double 0x3FDFCD3DFE214576, double 0x3FDF722D8EBFC5FA, double 0x3FDF1886D1EB424D, double 0x3FDEC03D4B969D90, double 0x3FDE6945367DD351, double 0x3FDE139375E137FC, double 0x3FDDBF1D88A7210C, double 0x3FDD6BD97DB9ED7A, double 0x3FDD19BDE97E1A0B, double 0x3FDCC8C1DC40E092, double 0x3FDC78DCD983FB60, double 0x3FDC2A06D00EA583, double 0x3FDBDC3812AEEEB5, double 0x3FDB8F6951990B88, double 0x3FDB43939454806F, double 0x3FDAF8B03428EF5F, double 0x3FDAAEB8D6FDF6E5, double 0x3FDA65A76AA30140, double 0x3FDA1D76207521F4, double 0x3FD9D61F695A3792, double 0x3FD98F9DF2097BA8, double 0x3FD949EC9F9A8110, double 0x3FD905068C545D04, double 0x3FD8C0E704B75D39, double 0x3FD87D8984BC3F8C, double 0x3FD83AE9B5446138, double 0x3FD7F90369B6CE59, double 0x3FD7B7D29DC6801E, double 0x3FD77753735E72E3, double 0x3FD7378230B08DEA, double 0x3FD6F85B3E649E9D, double 0x3FD6B9DB25E4E99C, double 0x3FD67BFE8FC60D9F, double 0x3FD63EC2424827E4, double 0x3FD602231FEF5876, double 0x3FD5C61E2631EE6C, double 0x3FD58AB06C3AA9EF, double 0x3FD54FD721BDA3E7, double 0x3FD5158F8DDE89F5, double 0x3FD4DBD70E26F91D, double 0x3FD4A2AB158BDAD3, double 0x3FD46A092B80BEEF, double 0x3FD431EEEB1841E2, double 0x3FD3FA5A0230A14E, double 0x3FD3C34830ABB285, double 0x3FD38CB747B17DEF, double 0x3FD356A528FCD0DD, double 0x3FD3210FC6312435, double 0x3FD2EBF520394270, double 0x3FD2B75346AE2262, double 0x3FD2832857457629, double 0x3FD24F727D4776FD, double 0x3FD21C2FF10B7EFF, double 0x3FD1E95EF77B09DB, double 0x3FD1B6FDE19ABC5A, double 0x3FD1850B0C191982, double 0x3FD15384DEE291EF, double 0x3FD12269CCBA9FBA, double 0x3FD0F1B852D9A66C, double 0x3FD0C16EF88F5333, double 0x3FD0918C4EE93E13, double 0x3FD0620EF05D90D2, double 0x3FD032F580797C2C, double 0x3FD0043EAB93476A, double 0x3FCFABD24CFF9354, double 0x3FCF4FE75C963E7E, double 0x3FCEF4BA0FE8E09B, double 0x3FCE9A48005940F2, double 0x3FCE408ED62F83A7, double 0x3FCDE78C48224F39, double 0x3FCD8F3E1AE3EEB8, double 0x3FCD37A220B431FD, double 0x3FCCE0B638F6D09F, double 0x3FCC8A784FCE1802, double 0x3FCC34E65DB9AFEE, double 0x3FCBDFFE67394435, double 0x3FCB8BBE7C72E4A5, double 0x3FCB3824B8DCEF3E, double 0x3FCAE52F42EB5B0B, double 0x3FCA92DC4BC03C49, double 0x3FCA412A0EDF5CBC, double 0x3FC9F016D1E4C512, double 0x3FC99FA0E43E1623, double 0x3FC94FC69EE692A1, double 0x3FC900866425BB79, double 0x3FC8B1DE9F5062D5, double 0x3FC863CDC48C1AF9, double 0x3FC816525094E7E6, double 0x3FC7C96AC8851BAE, double 0x3FC77D15B99F46FE, double 0x3FC73151B91A2839, double 0x3FC6E61D63EE84EA, double 0x3FC69B775EA6DA28, double 0x3FC6515E5530D1AC, double 0x3FC607D0FAB06A31, double 0x3FC5BECE0954C2B6, double 0x3FC57654422E78F5, double 0x3FC52E626D078C49, double 0x3FC4E6F7583CB6FA, double 0x3FC4A011D8983096, double 0x3FC459B0C92DCCC6, double 0x3FC413D30B386A9A, double 0x3FC3CE7785F8A905, double 0x3FC3899D2694D5C9, double 0x3FC34542DFFA0CAF, double 0x3FC30167AABE7D6E, double 0x3FC2BE0A8504CF34, double 0x3FC27B2A72609940, double 0x3FC238C67BBBE878, double 0x3FC1F6DDAF3DCA65, double 0x3FC1B56F2031D666, double 0x3FC17479E6F0AE78, double 0x3FC133FD20C9712F, double 0x3FC0F3F7EFEC1720, double 0x3FC0B4697B54B62F, double 0x3FC07550EEB7A5BE, double 0x3FC036AD7A6E7F04, double 0x3FBFF0FCA6CBEA8D, double 0x3FBF758566190414, double 0x3FBEFAF3AE83C33C, double 0x3FBE8146048EB9CC, double 0x3FBE087AF561BAFB, double 0x3FBD909116AD9398, double 0x3FBD198706914DD7, double 0x3FBCA35B6B80FD57, double 0x3FBC2E0CF42E10AF, double 0x3FBBB99A5771268F, double 0x3FBB460254356548, double 0x3FBAD343B1655465, double 0x3FBA615D3DD938B7, double 0x3FB9F04DD046F428, double 0x3FB9801447336B70, double 0x3FB910AF88E574B9, double 0x3FB8A21E835A533B, double 0x3FB834602C3BC4BA, double 0x3FB7C77380D7A6F3, double 0x3FB75B5786193C1E, double 0x3FB6F00B488416B6, double 0x3FB6858DDC30B620, double 0x3FB61BDE5CCADEF7, double 0x3FB5B2FBED91BB3E, double 0x3FB54AE5B959D036, double 0x3FB4E39AF290D929, double 0x3FB47D1AD343985C, double 0x3FB417649D25B10E, double 0x3FB3B277999B9F9E, double 0x3FB34E5319C6E718, double 0x3FB2EAF676948DD1, double 0x3FB2886110CE0570, double 0x3FB22692512C9D8C, double 0x3FB1C589A86FA340, double 0x3FB165468F755392, double 0x3FB105C88756CA50, double 0x3FB0A70F19871B3B, double 0x3FB04919D7F5C817, double 0x3FAFD7D0BA699676, double 0x3FAF1EF49944E834, double 0x3FAE679EA52EB2E5, double 0x3FADB1CE49315810, double 0x3FACFD83031E794A, double 0x3FAC4ABC640721E9, double 0x3FAB997A10BED985, double 0x3FAAE9BBC26A8084, double 0x3FAA3B81471BF138, double 0x3FA98ECA827B7C4C, double 0x3FA8E3976E80776D, double 0x3FA839E81C3A396B, double 0x3FA791BCB4AB089E, double 0x3FA6EB1579B6AF52, double 0x3FA645F2C726A041, double 0x3FA5A25513C5D2CA, double 0x3FA5003CF296C5EB, double 0x3FA45FAB14266B19, double 0x3FA3C0A047FF18FF, double 0x3FA3231D7E3F14AE, double 0x3FA28723C956C00C, double 0x3FA1ECB45FF312D4, double 0x3FA153D09F19B3A1, double 0x3FA0BC7A0C7CD651, double 0x3FA026B2590DFAEE, double 0x3F9F24F6C7AF9890, double 0x3F9DFFAE7A517468, double 0x3F9CDD9054331B0C, double 0x3F9BBEA150FA5870, double 0x3F9AA2E6E6924E9B, double 0x3F998A670F132A48, double 0x3F98752853EC9967, double 0x3F976331DA87FC96, double 0x3F96548B72A24077, double 0x3F95493DA6AB0251, double 0x3F944151CE87F0BE, double 0x3F933CD225315D84, double 0x3F923BC9E1B93A32, double 0x3F913E4554725F5F, double 0x3F904452091E02F0, double 0x3F8E9BFDDE89C7CE, double 0x3F8CB6B9146E2757, double 0x3F8AD8FA5542C92D, double 0x3F8902EA688FA7BD, double 0x3F8734B6E6AA74F5, double 0x3F856E930BE416CB, double 0x3F83B0B8C1516F62, double 0x3F81FB69EDB37671, double 0x3F804EF2295FD7F9, double 0x3F7D5751FA745DC5, double 0x3F7A23E9D4974836, double 0x3F77049F37EC3620, double 0x3F73FA97CEE322FD, double 0x3F71073D69574043, double 0x3F6C58B381CD4B11, double 0x3F66D888F3A1FEFF, double 0x3F61946BA8E1A324, double 0x3F592BB5540C3E25, double 0x3F4FB20AF78DFCB9, double 0x3F3DC31C329F0B4B], align 64

; size 539 216
define internal double @cogir_rng_philox4x64_gamma(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, double noundef %shape.2) nounwind noinline {
b0:
  %v3 = fcmp oeq double %shape.2, 0x3FF0000000000000
  br i1 %v3, label %b1, label %b2
b1:
  %value.4 = call double @cogir_philox4x64_exponential(ptr %words.1)
  br label %b30
b2:
  %v5 = fcmp oeq double %shape.2, 0x0000000000000000
  br i1 %v5, label %b3, label %b4
b3:
  br label %b29
b4:
  %v6 = fcmp ogt double %shape.2, 0x0000000000000000
  %v7 = fcmp olt double %shape.2, 0x3FF0000000000000
  %v8 = and i1 %v6, %v7
  br i1 %v8, label %b5, label %b12
b5:
  br label %b6
b6:
  %value.9 = phi double [ 0x7FF8000000000000, %b5 ], [ %v31, %b10 ]
  %waiting.10 = phi i1 [ true, %b5 ], [ %v32, %b10 ]
  br i1 %waiting.10, label %b7, label %b11
b7:
  %u.11 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v.12 = call double @cogir_philox4x64_exponential(ptr %words.1)
  %v13 = fsub double 0x3FF0000000000000, %shape.2
  %v14 = fcmp ole double %u.11, %v13
  br i1 %v14, label %b8, label %b9
b8:
  %y.15 = fdiv double 0x3FF0000000000000, %shape.2
  %value.16 = call double @pow(double %u.11, double %y.15) nobuiltin
  %v17 = fcmp ole double %value.16, %v.12
  %waiting.18 = xor i1 %v17, true
  br label %b10
b9:
  %v19 = fsub double 0x3FF0000000000000, %u.11
  %x.20 = fdiv double %v19, %shape.2
  %v21 = call double @log(double %x.20) nobuiltin
  %y.22 = fneg double %v21
  %v23 = fsub double 0x3FF0000000000000, %shape.2
  %v24 = fmul double %shape.2, %y.22
  %x.25 = fadd double %v23, %v24
  %y.26 = fdiv double 0x3FF0000000000000, %shape.2
  %value.27 = call double @pow(double %x.25, double %y.26) nobuiltin
  %v28 = fadd double %v.12, %y.22
  %v29 = fcmp ole double %value.27, %v28
  %waiting.30 = xor i1 %v29, true
  br label %b10
b10:
  %v31 = phi double [ %value.16, %b8 ], [ %value.27, %b9 ]
  %v32 = phi i1 [ %waiting.18, %b8 ], [ %waiting.30, %b9 ]
  br label %b6
b11:
  br label %b28
b12:
  %v33 = fcmp ogt double %shape.2, 0x3FF0000000000000
  br i1 %v33, label %b13, label %b26
b13:
  %b.34 = fsub double %shape.2, 0x3FD5555555555555
  %v35 = fmul double 0x4022000000000000, %b.34
  %v36 = call double @llvm.sqrt.f64(double %v35)
  %c.37 = fdiv double 0x3FF0000000000000, %v36
  br label %b14
b14:
  %value.38 = phi double [ 0x7FF8000000000000, %b13 ], [ %value.49, %b24 ]
  %waiting.39 = phi i1 [ true, %b13 ], [ %v66, %b24 ]
  br i1 %waiting.39, label %b15, label %b25
b15:
  br label %b16
b16:
  %x.40 = phi double [ 0x0000000000000000, %b15 ], [ %x.43, %b17 ]
  %v.41 = phi double [ 0x0000000000000000, %b15 ], [ %v.45, %b17 ]
  %v42 = fcmp ole double %v.41, 0x0000000000000000
  br i1 %v42, label %b17, label %b18
b17:
  %x.43 = call double @cogir_philox4x64_normal(ptr %words.1)
  %v44 = fmul double %c.37, %x.43
  %v.45 = fadd double 0x3FF0000000000000, %v44
  br label %b16
b18:
  %v46 = fmul double %v.41, %v.41
  %v.47 = fmul double %v46, %v.41
  %u.48 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %value.49 = fmul double %b.34, %v.47
  %v50 = fmul double %x.40, %x.40
  %v51 = fmul double 0x3FA0F27BB2FEC56D, %v50
  %v52 = fmul double %x.40, %x.40
  %v53 = fmul double %v51, %v52
  %v54 = fsub double 0x3FF0000000000000, %v53
  %v55 = fcmp olt double %u.48, %v54
  br i1 %v55, label %b19, label %b20
b19:
  br label %b21
b20:
  %v56 = call double @log(double %u.48) nobuiltin
  %v57 = fmul double 0x3FE0000000000000, %x.40
  %v58 = fmul double %v57, %x.40
  %v59 = fsub double 0x3FF0000000000000, %v.47
  %v60 = call double @log(double %v.47) nobuiltin
  %v61 = fadd double %v59, %v60
  %v62 = fmul double %b.34, %v61
  %v63 = fadd double %v58, %v62
  %v64 = fcmp olt double %v56, %v63
  br label %b21
b21:
  %v65 = phi i1 [ %v55, %b19 ], [ %v64, %b20 ]
  br i1 %v65, label %b22, label %b23
b22:
  br label %b24
b23:
  br label %b24
b24:
  %v66 = phi i1 [ false, %b22 ], [ %waiting.39, %b23 ]
  br label %b14
b25:
  br label %b27
b26:
  br label %b27
b27:
  %v67 = phi double [ %value.38, %b25 ], [ 0x7FF8000000000000, %b26 ]
  br label %b28
b28:
  %v68 = phi double [ %value.9, %b11 ], [ %v67, %b27 ]
  br label %b29
b29:
  %v69 = phi double [ 0x0000000000000000, %b3 ], [ %v68, %b28 ]
  br label %b30
b30:
  %v70 = phi double [ %value.4, %b1 ], [ %v69, %b29 ]
  ret double %v70
}

@cogir_rng_philox4x64_gamma_constant_0 = internal constant [256 x double] [double 0x3CD164EC94BF5DC1, double 0x3C60589D8B5D4119, double 0x3C6AD6B2495B4D2B, double 0x3C719335A95B8DBA, double 0x3C7522E6E54A2A73, double 0x3C785090FBC27A80, double 0x3C7B38D1EF79B7CC, double 0x3C7DECD8B76DBD98, double 0x3C803BF049C65C3C, double 0x3C8170DB24D6F670, double 0x3C82980290DA2633, double 0x3C83B388FE3D6ECA, double 0x3C84C515C60BFE21, double 0x3C85CDF89D024AC3, double 0x3C86CF40F0A72BBD, double 0x3C87C9CDDA17D019, double 0x3C88BE5954D3606F, double 0x3C89AD80552237D2, double 0x3C8A97C8BE5D5203, double 0x3C8B7DA5DDDDA3C4, double 0x3C8C5F7BD78C3F89, double 0x3C8D3DA24DF17C36, double 0x3C8E186678F1735A, double 0x3C8EF00CCF5F4FAA, double 0x3C8FC4D25D683209, double 0x3C904B76ED6A7558, double 0x3C90B348479B80FC, double 0x3C9119F38749F5AF, double 0x3C917F8CEB4BDFA0, double 0x3C91E426E93E49E7, double 0x3C9247D26538FF2E, double 0x3C92AA9EE123680B, double 0x3C930C9AA526DA4B, double 0x3C936DD2E26D8202, double 0x3C93CE53D12162A0, double 0x3C942E28CA706748, double 0x3C948D5C5F35E712, double 0x3C94EBF86BCD0B93, double 0x3C954A0629786F4D, double 0x3C95A78E3DB8BEFD, double 0x3C960498C7DD2ECF, double 0x3C96612D6D0C68E0, double 0x3C96BD5362FAA944, double 0x3C971911797990BB, double 0x3C97746E23077973, double 0x3C97CF6F7C7E8172, double 0x3C982A1B53FED599, double 0x3C9884772F2BE1EC, double 0x3C98DE8850D0C52A, double 0x3C993853BDFDA244, double 0x3C9991DE42AD1338, double 0x3C99EB2C75FF03BF, double 0x3C9A4442BE14884A, double 0x3C9A9D255396D261, double 0x3C9AF5D844F224C9, double 0x3C9B4E5F794C979B, double 0x3C9BA6BEB33F8F89, double 0x3C9BFEF99359FE99, double 0x3C9C57139A70D29F, double 0x3C9CAF102BC25ADB, double 0x3C9D06F28EF0E6FB, double 0x3C9D5EBDF1D86B8D, double 0x3C9DB6756A429057, double 0x3C9E0E1BF77C31FE, double 0x3C9E65B483CF1044, double 0x3C9EBD41E5E21B62, double 0x3C9F14C6E202949F, double 0x3C9F6C462B57FEB5, double 0x3C9FC3C26504A9A1, double 0x3CA00D9F119A3CD9, double 0x3CA0395DF60DB162, double 0x3CA0651F1C7276F8, double 0x3CA090E3BB4B0072, double 0x3CA0BCAD03710137, double 0x3CA0E87C207A2F66, double 0x3CA114523917AC15, double 0x3CA140306F707DBE, double 0x3CA16C17E1777FFB, double 0x3CA19809A93D2396, double 0x3CA1C406DD3D5283, double 0x3CA1F01090A9C4E2, double 0x3CA21C27D3B10E05, double 0x3CA2484DB3C2A329, double 0x3CA274833BD0189F, double 0x3CA2A0C9748BCDAA, double 0x3CA2CD2164A53B5D, double 0x3CA2F98C11031721, double 0x3CA3260A7CFB7611, double 0x3CA3529DAA8A1BA1, double 0x3CA37F469A851AF0, double 0x3CA3AC064CCFEFFC, double 0x3CA3D8DDC08D336D, double 0x3CA405CDF44F09C4, double 0x3CA432D7E6466CD0, double 0x3CA45FFC94716CA7, double 0x3CA48D3CFCC883C4, double 0x3CA4BA9A1D6B18A4, double 0x3CA4E814F4CB45EA, double 0x3CA515AE81D900FB, double 0x3CA54367C42CB5F8, double 0x3CA57141BC316F27, double 0x3CA59F3D6B4E9CF9, double 0x3CA5CD5BD4119335, double 0x3CA5FB9DFA56CF26, double 0x3CA62A04E3731A2E, double 0x3CA65891965C9B8C, double 0x3CA687451BD3EBEE, double 0x3CA6B6207E8D3CDF, double 0x3CA6E524CB59A608, double 0x3CA714531150A9FB, double 0x3CA743AC61FA041C, double 0x3CA77331D177D130, double 0x3CA7A2E476B1240A, double 0x3CA7D2C56B7D17F7, double 0x3CA802D5CCCE7277, double 0x3CA83316BADFE62A, double 0x3CA86389596108E7, double 0x3CA8942ECFA40F54, double 0x3CA8C50848CC6094, double 0x3CA8F616F3FE1513, double 0x3CA9275C048E73E1, double 0x3CA958D8B235828A, double 0x3CA98A8E3940BBF4, double 0x3CA9BC7DDAC7035D, double 0x3CA9EEA8DCDDE951, double 0x3CAA21108AD0592D, double 0x3CAA53B63556C690, double 0x3CAA869B32D0F30F, double 0x3CAAB9C0DF81657A, double 0x3CAAED289DCAACFF, double 0x3CAB20D3D66E8BB5, double 0x3CAB54C3F8CF2542, double 0x3CAB88FA7B324FB6, double 0x3CABBD78DB072610, double 0x3CABF2409D2DFD85, double 0x3CAC27534E42E02D, double 0x3CAC5CB282EAB1A4, double 0x3CAC925FD82323FB, double 0x3CACC85CF395A56C, double 0x3CACFEAB83ED7180, double 0x3CAD354D4130F2AD, double 0x3CAD6C43ED1EA3FE, double 0x3CADA391538DA50A, double 0x3CADDB374AD2357F, double 0x3CAE1337B426509B, double 0x3CAE4B947C16A452, double 0x3CAE844F9AF4237F, double 0x3CAEBD6B154A7678, double 0x3CAEF6E8FC5B9168, double 0x3CAF30CB6EA0BC7F, double 0x3CAF6B1498515ED0, double 0x3CAFA5C6B3EFE1E5, double 0x3CAFE0E40ADD09D8, double 0x3CB00E377AF911D4, double 0x3CB02C34EF11391B, double 0x3CB04A6B9E9224A3, double 0x3CB068DCCF1126DB, double 0x3CB08789CF3AAD0F, double 0x3CB0A673F733C819, double 0x3CB0C59CA900946F, double 0x3CB0E50550EFCFB7, double 0x3CB104AF660BEFCE, double 0x3CB1249C6A92154A, double 0x3CB144CDEC6F3A2B, double 0x3CB1654585C404C1, double 0x3CB18604DD6FAE9E, double 0x3CB1A70DA7A27820, double 0x3CB1C861A6782A5A, double 0x3CB1EA02AA9B3370, double 0x3CB20BF293F0F4A2, double 0x3CB22E33524FE550, double 0x3CB250C6E6403BBA, double 0x3CB273AF61C7DAA6, double 0x3CB296EEE942532B, double 0x3CB2BA87B445DB51, double 0x3CB2DE7C0E962D70, double 0x3CB302CE59265965, double 0x3CB327810B2AA7D0, double 0x3CB34C96B33BC965, double 0x3CB37211F88CA856, double 0x3CB397F59C345143, double 0x3CB3BE447A8D8B83, double 0x3CB3E5018CADDED0, double 0x3CB40C2FE9F5EEAD, double 0x3CB433D2C9BD42F8, double 0x3CB45BED851BC92C, double 0x3CB4848398D39432, double 0x3CB4AD98A75DA14C, double 0x3CB4D7307B1CB127, double 0x3CB5014F08B99508, double 0x3CB52BF871ACAAB2, double 0x3CB5573106F8A75A, double 0x3CB582FD4C1B4461, double 0x3CB5AF61FA38E107, double 0x3CB5DC640388BD9E, double 0x3CB60A0897081879, double 0x3CB63855247B2E94, double 0x3CB6674F60C3F432, double 0x3CB696FD4A9748EE, double 0x3CB6C7652F9A7B1E, double 0x3CB6F88DB1F42507, double 0x3CB72A7DCE5CD218, double 0x3CB75D3CE2BD71C3, double 0x3CB790D2B56B71F9, double 0x3CB7C5477D1476D3, double 0x3CB7FAA3E96E1412, double 0x3CB830F12CC0BEC3, double 0x3CB8683906687342, double 0x3CB8A085CE695BAB, double 0x3CB8D9E2823B3695, double 0x3CB9145AD2F37544, double 0x3CB94FFB34FC2A0E, double 0x3CB98CD0F18D1AD8, double 0x3CB9CAEA3A24D9EA, double 0x3CBA0A563E49F178, double 0x3CBA4B2543E84C3B, double 0x3CBA8D68C2AD86EA, double 0x3CBAD13382D845C4, double 0x3CBB1699C003B60A, double 0x3CBB5DB15091EA0F, double 0x3CBBA691D276DA5E, double 0x3CBBF154DE4BEF77, double 0x3CBC3E1641C2E0A7, double 0x3CBC8CF442C8C8F4, double 0x3CBCDE0FECF2A97F, double 0x3CBD318D6B2738C5, double 0x3CBD87946FEC3BEC, double 0x3CBDE050AF4EF19F, double 0x3CBE3BF26E190960, double 0x3CBE9AAF2AF383C1, double 0x3CBEFCC26750EA4A, double 0x3CBF626E9791F7A7, double 0x3CBFCBFE43F6C6E5, double 0x3CC01CE2B362EC2E, double 0x3CC056118BF58EEF, double 0x3CC091C1CDCBA54E, double 0x3CC0D031785D48A0, double 0x3CC111A8034392A6, double 0x3CC156786775442A, double 0x3CC19F03BCB3C2D6, double 0x3CC1EBBCA0C9FA7C, double 0x3CC23D2BB659919F, double 0x3CC293F5AE49AAA5, double 0x3CC2F0E38A4411F0, double 0x3CC354EE27CCF75E, double 0x3CC3C14EC7C8B861, double 0x3CC4379766E41362, double 0x3CC4B9D7CD4751D1, double 0x3CC54AD83CCF73F6, double 0x3CC5EE7AE17313D2, double 0x3CC6AA676D4BBF72, double 0x3CC78750D6EAC62F, double 0x3CC8939FE6F2ED19, double 0x3CC9E9DC0D487B85, double 0x3CCBC39E51DA71FC, double 0x3CCEC9D9297EBB83], align 64

@cogir_rng_philox4x64_gamma_constant_1 = internal constant [256 x i64] [i64 7971545857431494, i64 0, i64 5485857970336126, i64 6877400373607440, i64 7489560515621038, i64 7829793950745724, i64 8045251395085594, i64 8193552821270898, i64 8301707212298418, i64 8384003209374832, i64 8448689755168200, i64 8500854585063478, i64 8543802742323106, i64 8579772857648236, i64 8610334328270398, i64 8636619566280862, i64 8659465946817878, i64 8679505875409358, i64 8697225801520776, i64 8713005977443536, i64 8727147906454692, i64 8739893704890038, i64 8751440024696698, i64 8761948238062960, i64 8771552003860596, i64 8780362968290610, i64 8788475114930438, i64 8795968123070796, i64 8802909988292858, i64 8809359087581710, i64 8815365821575970, i64 8820973931588800, i64 8826221564107158, i64 8831142137483404, i64 8835765052397426, i64 8840116277974648, i64 8844218838221542, i64 8848093218006260, i64 8851757703688506, i64 8855228670347734, i64 8858520825126080, i64 8861647414312948, i64 8864620400320394, i64 8867450613535032, i64 8870147883110754, i64 8872721150032146, i64 8875178565190242, i64 8877527574738170, i64 8879774994610604, i64 8881927075778634, i64 8883989561556502, i64 8885967738067168, i64 8887866478800856, i64 8889690284057818, i64 8891443315947666, i64 8893129429518482, i64 8894752200505984, i64 8896314950123264, i64 8897820767252858, i64 8899272528353282, i64 8900672915349966, i64 8902024431744704, i64 8903329417147192, i64 8904590060406012, i64 8905808411494018, i64 8906986392283810, i64 8908125806332284, i64 8909228347778946, i64 8910295609450180, i64 8911329090250868, i64 8912330201915374, i64 8913300275181656, i64 8914240565445170, i64 8915152257942916, i64 8916036472512488, i64 8916894267966144, i64 8917726646115692, i64 8918534555480190, i64 8919318894705170, i64 8920080515719156, i64 8920820226650618, i64 8921538794526266, i64 8922236947769418, i64 8922915378515480, i64 8923574744759820, i64 8924215672351958, i64 8924838756848636, i64 8925444565237162, i64 8926033637539416, i64 8926606488305930, i64 8927163608008600, i64 8927705464339880, i64 8928232503425544, i64 8928745150957558, i64 8929243813252980, i64 8929728878244356, i64 8930200716406566, i64 8930659681624710, i64 8931106112007190, i64 8931540330647876, i64 8931962646340834, i64 8932373354250910, i64 8932772736543124, i64 8933161062973652, i64 8933538591444894, i64 8933905568527004, i64 8934262229948010, i64 8934608801054528, i64 8934945497244894, i64 8935272524376414, i64 8935590079148328, i64 8935898349461876, i64 8936197514758882, i64 8936487746340036, i64 8936769207664048, i64 8937042054628744, i64 8937306435835058, i64 8937562492834854, i64 8937810360363402, i64 8938050166557284, i64 8938282033158466, i64 8938506075705162, i64 8938722403710132, i64 8938931120826946, i64 8939132325004766, i64 8939326108632062, i64 8939512558669762, i64 8939691756774158, i64 8939863779409990, i64 8940028697953972, i64 8940186578789100, i64 8940337483389966, i64 8940481468399302, i64 8940618585695992, i64 8940748882454662, i64 8940872401197050, i64 8940989179835208, i64 8941099251706688, i64 8941202645601704, i64 8941299385782368, i64 8941389491993960, i64 8941472979468230, i64 8941549858918698, i64 8941620136527848, i64 8941683813926148, i64 8941740888162738, i64 8941791351667640, i64 8941835192205302, i64 8941872392819226, i64 8941902931767472, i64 8941926782448690, i64 8941943913318396, i64 8941954287795084, i64 8941957864155806, i64 8941954595420724, i64 8941944429226144, i64 8941927307685492, i64 8941903167237602, i64 8941871938481652, i64 8941833545998016, i64 8941787908154234, i64 8941734936895206, i64 8941674537516674, i64 8941606608420918, i64 8941531040853536, i64 8941447718620056, i64 8941356517781006, i64 8941257306323958, i64 8941149943810914, i64 8941034280999228, i64 8940910159434164, i64 8940777411010892, i64 8940635857503634, i64 8940485310059376, i64 8940325568653336, i64 8940156421503112, i64 8939977644438114, i64 8939789000220574, i64 8939590237814000, i64 8939381091594596, i64 8939161280500638, i64 8938930507114326, i64 8938688456670012, i64 8938434795982096, i64 8938169172285110, i64 8937891211977748, i64 8937600519261604, i64 8937296674664432, i64 8936979233436516, i64 8936647723807416, i64 8936301645088910, i64 8935940465608202, i64 8935563620453574, i64 8935170509012442, i64 8934760492279316, i64 8934332889908232, i64 8933886976981030, i64 8933421980459034, i64 8932937075281380, i64 8932431380068266, i64 8931903952381602, i64 8931353783488908, i64 8930779792568492, i64 8930180820284952, i64 8929555621653500, i64 8928902858099222, i64 8928221088602964, i64 8927508759808348, i64 8926764194944404, i64 8925985581394242, i64 8925170956711904, i64 8924318192855506, i64 8923424978364230, i64 8922488798157886, i64 8921506910578770, i64 8920476321224196, i64 8919393753031106, i64 8918255611967910, i64 8917057947558148, i64 8915796407299442, i64 8914466183841290, i64 8913061953535784, i64 8911577804662434, i64 8910007153233212, i64 8908342643782164, i64 8906576031902208, i64 8904698044465300, i64 8902698212389652, i64 8900564669414922, i64 8898283908495804, i64 8895840484961220, i64 8893216652275640, i64 8890391911743352, i64 8887342451323378, i64 8884040440144924, i64 8880453133239800, i64 8876541723776518, i64 8872259855113102, i64 8867551668208538, i64 8862349204777254, i64 8856568902200012, i64 8850106784293916, i64 8842831740745002, i64 8834575940248166, i64 8825120832349124, i64 8814176156651890, i64 8801347484544986, i64 8786084197194146, i64 8767592496903178, i64 8744682338845716, i64 8715480686119910, i64 8676850260251934, i64 8623083654098352, i64 8542525795804796, i64 8406823688997808, i64 8122426762520768], align 64

@cogir_rng_philox4x64_gamma_constant_2 = internal constant [256 x double] [double 0x3FF0000000000000, double 0x3FEE0545E5881137, double 0x3FECD0A65081FFF1, double 0x3FEBE5007BEB7B27, double 0x3FEB210F0EE67F2A, double 0x3FEA76BAA562FAE7, double 0x3FE9DE9715556D9B, double 0x3FE95431C455AA39, double 0x3FE8D4A376D3D22F, double 0x3FE85DE87806C5B8, double 0x3FE7EE8A2D243126, double 0x3FE7856E9B09D47E, double 0x3FE721BB5BA94B63, double 0x3FE6C2C3498418C6, double 0x3FE667FA6D4F5C06, double 0x3FE610EDC1A7AF66, double 0x3FE5BD3D694CAC75, double 0x3FE56C9882DA8773, double 0x3FE51EBA1578899A, double 0x3FE4D366C151F8AF, double 0x3FE48A6AFB8EE069, double 0x3FE44399AFA8E125, double 0x3FE3FECB2BB18B80, double 0x3FE3BBDC44E1D114, double 0x3FE37AADA708DDD9, double 0x3FE33B23450E6318, double 0x3FE2FD23E345DA5E, double 0x3FE2C098B61F4F24, double 0x3FE2856D111132BD, double 0x3FE24B8E228C50A3, double 0x3FE212EABA813EC8, double 0x3FE1DB7319877B89, double 0x3FE1A518C71E3B25, double 0x3FE16FCE6DCE6FEE, double 0x3FE13B87BC33169C, double 0x3FE108394A1CC38D, double 0x3FE0D5D8812B1E2B, double 0x3FE0A45B8854D02A, double 0x3FE073B931EE3B7D, double 0x3FE043E8EBD26548, double 0x3FE014E2B160F324, double 0x3FDFCD3DFE214576, double 0x3FDF722D8EBFC5FA, double 0x3FDF1886D1EB424D, double 0x3FDEC03D4B969D90, double 0x3FDE6945367DD351, double 0x3FDE139375E137FC, double 0x3FDDBF1D88A7210C, double 0x3FDD6BD97DB9ED7A, double 0x3FDD19BDE97E1A0B, double 0x3FDCC8C1DC40E092, double 0x3FDC78DCD983FB60, double 0x3FDC2A06D00EA583, double 0x3FDBDC3812AEEEB5, double 0x3FDB8F6951990B88, double 0x3FDB43939454806F, double 0x3FDAF8B03428EF5F, double 0x3FDAAEB8D6FDF6E5, double 0x3FDA65A76AA30140, double 0x3FDA1D76207521F4, double 0x3FD9D61F695A3792, double 0x3FD98F9DF2097BA8, double 0x3FD949EC9F9A8110, double 0x3FD905068C545D04, double 0x3FD8C0E704B75D39, double 0x3FD87D8984BC3F8C, double 0x3FD83AE9B5446138, double 0x3FD7F90369B6CE59, double 0x3FD7B7D29DC6801E, double 0x3FD77753735E72E3, double 0x3FD7378230B08DEA, double 0x3FD6F85B3E649E9D, double 0x3FD6B9DB25E4E99C, double 0x3FD67BFE8FC60D9F, double 0x3FD63EC2424827E4, double 0x3FD602231FEF5876, double 0x3FD5C61E2631EE6C, double 0x3FD58AB06C3AA9EF, double 0x3FD54FD721BDA3E7, double 0x3FD5158F8DDE89F5, double 0x3FD4DBD70E26F91D, double 0x3FD4A2AB158BDAD3, double 0x3FD46A092B80BEEF, double 0x3FD431EEEB1841E2, double 0x3FD3FA5A0230A14E, double 0x3FD3C34830ABB285, double 0x3FD38CB747B17DEF, double 0x3FD356A528FCD0DD, double 0x3FD3210FC6312435, double 0x3FD2EBF520394270, double 0x3FD2B75346AE2262, double 0x3FD2832857457629, double 0x3FD24F727D4776FD, double 0x3FD21C2FF10B7EFF, double 0x3FD1E95EF77B09DB, double 0x3FD1B6FDE19ABC5A, double 0x3FD1850B0C191982, double 0x3FD15384DEE291EF, double 0x3FD12269CCBA9FBA, double 0x3FD0F1B852D9A66C, double 0x3FD0C16EF88F5333, double 0x3FD0918C4EE93E13, double 0x3FD0620EF05D90D2, double 0x3FD032F580797C2C, double 0x3FD0043EAB93476A, double 0x3FCFABD24CFF9354, double 0x3FCF4FE75C963E7E, double 0x3FCEF4BA0FE8E09B, double 0x3FCE9A48005940F2, double 0x3FCE408ED62F83A7, double 0x3FCDE78C48224F39, double 0x3FCD8F3E1AE3EEB8, double 0x3FCD37A220B431FD, double 0x3FCCE0B638F6D09F, double 0x3FCC8A784FCE1802, double 0x3FCC34E65DB9AFEE, double 0x3FCBDFFE67394435, double 0x3FCB8BBE7C72E4A5, double 0x3FCB3824B8DCEF3E, double 0x3FCAE52F42EB5B0B, double 0x3FCA92DC4BC03C49, double 0x3FCA412A0EDF5CBC, double 0x3FC9F016D1E4C512, double 0x3FC99FA0E43E1623, double 0x3FC94FC69EE692A1, double 0x3FC900866425BB79, double 0x3FC8B1DE9F5062D5, double 0x3FC863CDC48C1AF9, double 0x3FC816525094E7E6, double 0x3FC7C96AC8851BAE, double 0x3FC77D15B99F46FE, double 0x3FC73151B91A2839, double 0x3FC6E61D63EE84EA, double 0x3FC69B775EA6DA28, double 0x3FC6515E5530D1AC, double 0x3FC607D0FAB06A31, double 0x3FC5BECE0954C2B6, double 0x3FC57654422E78F5, double 0x3FC52E626D078C49, double 0x3FC4E6F7583CB6FA, double 0x3FC4A011D8983096, double 0x3FC459B0C92DCCC6, double 0x3FC413D30B386A9A, double 0x3FC3CE7785F8A905, double 0x3FC3899D2694D5C9, double 0x3FC34542DFFA0CAF, double 0x3FC30167AABE7D6E, double 0x3FC2BE0A8504CF34, double 0x3FC27B2A72609940, double 0x3FC238C67BBBE878, double 0x3FC1F6DDAF3DCA65, double 0x3FC1B56F2031D666, double 0x3FC17479E6F0AE78, double 0x3FC133FD20C9712F, double 0x3FC0F3F7EFEC1720, double 0x3FC0B4697B54B62F, double 0x3FC07550EEB7A5BE, double 0x3FC036AD7A6E7F04, double 0x3FBFF0FCA6CBEA8D, double 0x3FBF758566190414, double 0x3FBEFAF3AE83C33C, double 0x3FBE8146048EB9CC, double 0x3FBE087AF561BAFB, double 0x3FBD909116AD9398, double 0x3FBD198706914DD7, double 0x3FBCA35B6B80FD57, double 0x3FBC2E0CF42E10AF, double 0x3FBBB99A5771268F, double 0x3FBB460254356548, double 0x3FBAD343B1655465, double 0x3FBA615D3DD938B7, double 0x3FB9F04DD046F428, double 0x3FB9801447336B70, double 0x3FB910AF88E574B9, double 0x3FB8A21E835A533B, double 0x3FB834602C3BC4BA, double 0x3FB7C77380D7A6F3, double 0x3FB75B5786193C1E, double 0x3FB6F00B488416B6, double 0x3FB6858DDC30B620, double 0x3FB61BDE5CCADEF7, double 0x3FB5B2FBED91BB3E, double 0x3FB54AE5B959D036, double 0x3FB4E39AF290D929, double 0x3FB47D1AD343985C, double 0x3FB417649D25B10E, double 0x3FB3B277999B9F9E, double 0x3FB34E5319C6E718, double 0x3FB2EAF676948DD1, double 0x3FB2886110CE0570, double 0x3FB22692512C9D8C, double 0x3FB1C589A86FA340, double 0x3FB165468F755392, double 0x3FB105C88756CA50, double 0x3FB0A70F19871B3B, double 0x3FB04919D7F5C817, double 0x3FAFD7D0BA699676, double 0x3FAF1EF49944E834, double 0x3FAE679EA52EB2E5, double 0x3FADB1CE49315810, double 0x3FACFD83031E794A, double 0x3FAC4ABC640721E9, double 0x3FAB997A10BED985, double 0x3FAAE9BBC26A8084, double 0x3FAA3B81471BF138, double 0x3FA98ECA827B7C4C, double 0x3FA8E3976E80776D, double 0x3FA839E81C3A396B, double 0x3FA791BCB4AB089E, double 0x3FA6EB1579B6AF52, double 0x3FA645F2C726A041, double 0x3FA5A25513C5D2CA, double 0x3FA5003CF296C5EB, double 0x3FA45FAB14266B19, double 0x3FA3C0A047FF18FF, double 0x3FA3231D7E3F14AE, double 0x3FA28723C956C00C, double 0x3FA1ECB45FF312D4, double 0x3FA153D09F19B3A1, double 0x3FA0BC7A0C7CD651, double 0x3FA026B2590DFAEE, double 0x3F9F24F6C7AF9890, double 0x3F9DFFAE7A517468, double 0x3F9CDD9054331B0C, double 0x3F9BBEA150FA5870, double 0x3F9AA2E6E6924E9B, double 0x3F998A670F132A48, double 0x3F98752853EC9967, double 0x3F976331DA87FC96, double 0x3F96548B72A24077, double 0x3F95493DA6AB0251, double 0x3F944151CE87F0BE, double 0x3F933CD225315D84, double 0x3F923BC9E1B93A32, double 0x3F913E4554725F5F, double 0x3F904452091E02F0, double 0x3F8E9BFDDE89C7CE, double 0x3F8CB6B9146E2757, double 0x3F8AD8FA5542C92D, double 0x3F8902EA688FA7BD, double 0x3F8734B6E6AA74F5, double 0x3F856E930BE416CB, double 0x3F83B0B8C1516F62, double 0x3F81FB69EDB37671, double 0x3F804EF2295FD7F9, double 0x3F7D5751FA745DC5, double 0x3F7A23E9D4974836, double 0x3F77049F37EC3620, double 0x3F73FA97CEE322FD, double 0x3F71073D69574043, double 0x3F6C58B381CD4B11, double 0x3F66D888F3A1FEFF, double 0x3F61946BA8E1A324, double 0x3F592BB5540C3E25, double 0x3F4FB20AF78DFCB9, double 0x3F3DC31C329F0B4B], align 64

@cogir_rng_philox4x64_gamma_constant_3 = internal constant [256 x double] [double 0x3CCF493B7815D979, double 0x3C8B8D0BE3FDF6C6, double 0x3C9250AF3C2C5BB4, double 0x3C957CB938443B61, double 0x3C9801FCE82FA70C, double 0x3C9A230C2E4CD0BC, double 0x3C9C004D2F3861F7, double 0x3C9DAC2F5A747274, double 0x3C9F32482D4CD5C3, double 0x3CA04D32278EBBAD, double 0x3CA0F5053B025D43, double 0x3CA192A697413677, double 0x3CA227A28F7A1AF5, double 0x3CA2B52E3863D880, double 0x3CA33C3FC05791F5, double 0x3CA3BD9EC1A2B12F, double 0x3CA439EF8DFF9B55, double 0x3CA4B1BB363DFEA7, double 0x3CA52575621AD374, double 0x3CA59580A707CE96, double 0x3CA60231CFD97EEA, double 0x3CA66BD261A37C3D, double 0x3CA6D2A292000570, double 0x3CA736DAD346F8A6, double 0x3CA798AD10B32A77, double 0x3CA7F845AD46F543, double 0x3CA855CC53430A77, double 0x3CA8B1649E7B769A, double 0x3CA90B2EA94ECF98, double 0x3CA96347822C1EEA, double 0x3CA9B9C98E38C546, double 0x3CAA0ECCDCA4A72C, double 0x3CAA62676D77CD59, double 0x3CAAB4AD6E101630, double 0x3CAB05B16D136C9C, double 0x3CAB558487427A29, double 0x3CABA4368E529F3A, double 0x3CABF1D62ABF8232, double 0x3CAC3E70F9594EF3, double 0x3CAC8A13A5323B61, double 0x3CACD4C9FE72268B, double 0x3CAD1E9F0E80B748, double 0x3CAD679D29E41F10, double 0x3CADAFCE0023B8C3, double 0x3CADF73AA9F17653, double 0x3CAE3DEBB5D2EDFE, double 0x3CAE83E9337A6F00, double 0x3CAEC93ABDF982CE, double 0x3CAF0DE784F06226, double 0x3CAF51F654D8F688, double 0x3CAF956D9E87D7AE, double 0x3CAFD8537DFA2EAC, double 0x3CB00D56E04234EC, double 0x3CB02E40F5398F9A, double 0x3CB04EEA9E16A5FC, double 0x3CB06F565B72A010, double 0x3CB08F869071F40B, double 0x3CB0AF7D84BC6113, double 0x3CB0CF3D664BCC7F, double 0x3CB0EEC84B16086B, double 0x3CB10E20329515EE, double 0x3CB12D4707310FBE, double 0x3CB14C3E9F8E9141, double 0x3CB16B08BFC4201E, double 0x3CB189A71A78DA34, double 0x3CB1A81B51EE6D88, double 0x3CB1C666F8F82ACB, double 0x3CB1E48B93E0D42E, double 0x3CB2028A9940A09F, double 0x3CB2206572C4C6E9, double 0x3CB23E1D7DE9C31F, double 0x3CB25BB40CA96BFB, double 0x3CB2792A661DD37F, double 0x3CB29681C719D71B, double 0x3CB2B3BB62B82EDA, double 0x3CB2D0D862E1B853, double 0x3CB2EDD9E8CBA98E, double 0x3CB30AC10D6E48D7, double 0x3CB3278EE1F4B930, double 0x3CB3444470265EA1, double 0x3CB360E2BACA52D5, double 0x3CB37D6ABE05586A, double 0x3CB399DD6FB2B264, double 0x3CB3B63BBFB83D03, double 0x3CB3D28698561DE0, double 0x3CB3EEBEDE725A83, double 0x3CB40AE571E09E74, double 0x3CB426FB2DA6745D, double 0x3CB44300E83C30A4, double 0x3CB45EF773CAC75D, double 0x3CB47ADF9E66C336, double 0x3CB496BA32488F2F, double 0x3CB4B287F602415D, double 0x3CB4CE49ACB311DC, double 0x3CB4EA001638A605, double 0x3CB505ABEF5E5562, double 0x3CB5214DF20A8B5A, double 0x3CB53CE6D56A664F, double 0x3CB558774E1BB2C8, double 0x3CB574000E555F78, double 0x3CB58F81C60E8514, double 0x3CB5AAFD23241B59, double 0x3CB5C672D17D733D, double 0x3CB5E1E37B2F8CD3, double 0x3CB5FD4FC89F5E38, double 0x3CB618B860A31FC3, double 0x3CB6341DE8A2B0A2, double 0x3CB64F8104B7260B, double 0x3CB66AE257C99672, double 0x3CB6864283B13137, double 0x3CB6A1A22950B2B1, double 0x3CB6BD01E8B343BB, double 0x3CB6D8626128D352, double 0x3CB6F3C43161F854, double 0x3CB70F27F78B68EB, double 0x3CB72A8E516914C6, double 0x3CB745F7DC70EEDC, double 0x3CB7616535E5731F, double 0x3CB77CD6FAEFF449, double 0x3CB7984DC8BABD93, double 0x3CB7B3CA3C8B1409, double 0x3CB7CF4CF3DB22FB, double 0x3CB7EAD68C73DEE7, double 0x3CB80667A486EA1F, double 0x3CB82200DAC88676, double 0x3CB83DA2CE899F15, double 0x3CB8594E1FD1F5BD, double 0x3CB875036F7A7EC5, double 0x3CB890C35F47F72D, double 0x3CB8AC8E9205C043, double 0x3CB8C865ABA10C9C, double 0x3CB8E44951446A27, double 0x3CB9003A2973B58F, double 0x3CB91C38DC288347, double 0x3CB9384612EF0AFC, double 0x3CB954627903A28A, double 0x3CB9708EBB70D5EE, double 0x3CB98CCB892E2A31, double 0x3CB9A919933F99BF, double 0x3CB9C5798CD5D92C, double 0x3CB9E1EC2B6F7411, double 0x3CB9FE7226FAD24A, double 0x3CBA1B0C39F93692, double 0x3CBA37BB21A2C85B, double 0x3CBA547F9E0BBB88, double 0x3CBA715A724AA9A4, double 0x3CBA8E4C64A0313D, double 0x3CBAAB563E9FF108, double 0x3CBAC878CD5AF5CE, double 0x3CBAE5B4E18BB336, double 0x3CBB030B4FC3A11A, double 0x3CBB207CF09A985B, double 0x3CBB3E0AA0E00C00, double 0x3CBB5BB541CE3D03, double 0x3CBB797DB93F8927, double 0x3CBB9764F1E5F73C, double 0x3CBBB56BDB85256E, double 0x3CBBD3936B2EC0A2, double 0x3CBBF1DC9B81AE83, double 0x3CBC10486CEC16A0, double 0x3CBC2ED7E5F07A2D, double 0x3CBC4D8C136E0D1C, double 0x3CBC6C6608EC8705, double 0x3CBC8B66E0EBA617, double 0x3CBCAA8FBD36A2AB, double 0x3CBCC9E1C73BD690, double 0x3CBCE95E3068E037, double 0x3CBD0906328B8F6E, double 0x3CBD28DB1037EF20, double 0x3CBD48DE1533C647, double 0x3CBD691096E7F123, double 0x3CBD8973F4D7FBA5, double 0x3CBDAA0999206E70, double 0x3CBDCAD2F8FC490E, double 0x3CBDEBD195522E37, double 0x3CBE0D06FB49D21C, double 0x3CBE2E74C4EA46F6, double 0x3CBE501C99C1D188, double 0x3CBE72002F97FE25, double 0x3CBE94214B2ABF0A, double 0x3CBEB681C0F76F08, double 0x3CBED9237610A73A, double 0x3CBEFC086101ECA9, double 0x3CBF1F328AC25321, double 0x3CBF42A40FB74D6D, double 0x3CBF665F20C90168, double 0x3CBF8A6604899782, double 0x3CBFAEBB187122BF, double 0x3CBFD360D22FE785, double 0x3CBFF859C118F60B, double 0x3CC00ED447D3A075, double 0x3CC021A8028FC947, double 0x3CC034A983A902AB, double 0x3CC047DA4E3EF5C7, double 0x3CC05B3BF6ADB37E, double 0x3CC06ED023A72668, double 0x3CC082988F632E17, double 0x3CC0969708E8A254, double 0x3CC0AACD7571C0C4, double 0x3CC0BF3DD1EED448, double 0x3CC0D3EA34AA3D30, double 0x3CC0E8D4CF116593, double 0x3CC0FDFFEFA69FB6, double 0x3CC1136E04207041, double 0x3CC129219BBB5D35, double 0x3CC13F1D69C4096D, double 0x3CC1556448602E3B, double 0x3CC16BF93B9DEEF3, double 0x3CC182DF74D21261, double 0x3CC19A1A564EEBAC, double 0x3CC1B1AD777F2F8E, double 0x3CC1C99CA971A694, double 0x3CC1E1EBFBE4AE39, double 0x3CC1FA9FC2E2D901, double 0x3CC213BC9D04CC81, double 0x3CC22D477A6FD3EE, double 0x3CC24745A4AC9C24, double 0x3CC261BCC77658E0, double 0x3CC27CB2FAA8592E, double 0x3CC2982ECD770E78, double 0x3CC2B437532A0A52, double 0x3CC2D0D43196DB97, double 0x3CC2EE0DB1A978F5, double 0x3CC30BECD256AEEE, double 0x3CC32A7B5E68A4A3, double 0x3CC349C405AE12A3, double 0x3CC369D27A33A840, double 0x3CC38AB39256410A, double 0x3CC3AC7570AE88FA, double 0x3CC3CF27B31704A6, double 0x3CC3F2DBAA60F475, double 0x3CC417A49CB9E5DA, double 0x3CC43D9815545E94, double 0x3CC464CE44A73A15, double 0x3CC48D62759C43BC, double 0x3CC4B7739D6B5A27, double 0x3CC4E3250DCD8902, double 0x3CC5109F53E9AC41, double 0x3CC54011523A7E42, double 0x3CC571B1A94AE41B, double 0x3CC5A5C08B718DD9, double 0x3CC5DC8A243AD0FE, double 0x3CC61669CF861E4C, double 0x3CC653CE7B006AEA, double 0x3CC69540BE9FE5C3, double 0x3CC6DB6B8D09E232, double 0x3CC72728F05F7A34, double 0x3CC7799556090673, double 0x3CC7D42DF4D6CE8C, double 0x3CC839030529F234, double 0x3CC8AB0FBFAA7C14, double 0x3CC92EE0946F4496, double 0x3CC9CBEE014057AB, double 0x3CCA8FDC7894775A, double 0x3CCB981F3878FDB1, double 0x3CCD3BB48209AD33], align 64

@cogir_rng_philox4x64_gamma_constant_4 = internal constant [256 x i64] [i64 4208095142473578, i64 0, i64 3387314423973544, i64 3838760076542274, i64 4030768804392682, i64 4136731738896254, i64 4203757248105145, i64 4249917568205994, i64 4283617341590296, i64 4309289223136604, i64 4329489775174550, i64 4345795907393188, i64 4359232558744730, i64 4370494503737299, i64 4380069246215646, i64 4388308869042394, i64 4395473957549321, i64 4401761481783924, i64 4407323076021240, i64 4412277362218204, i64 4416718463613199, i64 4420722014516422, i64 4424349484777079, i64 4427651345409294, i64 4430669422005229, i64 4433438668975191, i64 4435988524278344, i64 4438343955930065, i64 4440526279077425, i64 4442553800234660, i64 4444442329865861, i64 4446205593658138, i64 4447855565093316, i64 4449402736340121, i64 4450856340408624, i64 4452224534496486, i64 4453514552210512, i64 4454732830656798, i64 4455885117109368, i64 4456976558985043, i64 4458011780094444, i64 4458994945550386, i64 4459929817254120, i64 4460819801517196, i64 4461667990089170, i64 4462477195632268, i64 4463249982500384, i64 4463988693531856, i64 4464695473445501, i64 4465372289331869, i64 4466020948651920, i64 4466643115089764, i64 4467240322552142, i64 4467813987562542, i64 4468365420260672, i64 4468895834186994, i64 4469406355006040, i64 4469898028300364, i64 4470371826548633, i64 4470828655385770, i64 4471269359229841, i64 4471694726349190, i64 4472105493433674, i64 4472502349725738, i64 4472885940759935, i64 4473256871753524, i64 4473615710685532, i64 4473962991097124, i64 4474299214642296, i64 4474624853414418, i64 4474940352071305, i64 4475246129778808, i64 4475542581990776, i64 4475830082081194, i64 4476108982842610, i64 4476379617863426, i64 4476642302795321, i64 4476897336520866, i64 4477145002230339, i64 4477385568415884, i64 4477619289790266, i64 4477846408136804, i64 4478067153096380, i64 4478281742896886, i64 4478490385029917, i64 4478693276879082, i64 4478890606303906, i64 4479082552182886, i64 4479269284918997, i64 4479450966910588, i64 4479627752990372, i64 4479799790834988, i64 4479967221347354, i64 4480130179013872, i64 4480288792238368, i64 4480443183654460, i64 4480593470417939, i64 4480739764480586, i64 4480882172846772, i64 4481020797814010, i64 4481155737198612, i64 4481287084547452, i64 4481414929336784, i64 4481539357158974, i64 4481660449897960, i64 4481778285894165, i64 4481892940099539, i64 4482004484223382, i64 4482112986869492, i64 4482218513665204, i64 4482321127382802, i64 4482420888053758, i64 4482517853076245, i64 4482612077316275, i64 4482703613202871, i64 4482792510817576, i64 4482878817978627, i64 4482962580320076, i64 4483043841366126, i64 4483122642600925, i64 4483199023534056, i64 4483273021761922, i64 4483344673025224, i64 4483414011262724, i64 4483481068661428, i64 4483545875703378, i64 4483608461209170, i64 4483668852378323, i64 4483727074826624, i64 4483783152620564, i64 4483837108308932, i64 4483888962951686, i64 4483938736146144, i64 4483986446050596, i64 4484032109405372, i64 4484075741551420, i64 4484117356446452, i64 4484156966678662, i64 4484194583478081, i64 4484230216725550, i64 4484263874959345, i64 4484295565379450, i64 4484325293849474, i64 4484353064896186, i64 4484378881706674, i64 4484402746123075, i64 4484424658634833, i64 4484444618368474, i64 4484462623074794, i64 4484478669113436, i64 4484492751434740, i64 4484504863558830, i64 4484514997551788, i64 4484523143998833, i64 4484529291974394, i64 4484533429008906, i64 4484535541052219, i64 4484535612433424, i64 4484533625816926, i64 4484529562154580, i64 4484523400633636, i64 4484515118620291, i64 4484504691598554, i64 4484492093104164, i64 4484477294653230, i64 4484460265665252, i64 4484440973380154, i64 4484419382768918, i64 4484395456437370, i64 4484369154522621, i64 4484340434581640, i64 4484309251471359, i64 4484275557219678, i64 4484239300886654, i64 4484200428415112, i64 4484158882469814, i64 4484114602264271, i64 4484067523374160, i64 4484017577536216, i64 4483964692431365, i64 4483908791450714, i64 4483849793442887, i64 4483787612441036, i64 4483722157367660, i64 4483653331715198, i64 4483581033200083, i64 4483505153387764, i64 4483425577285833, i64 4483342182902157, i64 4483254840764470, i64 4483163413397547, i64 4483067754753536, i64 4482967709590562, i64 4482863112794072, i64 4482753788634692, i64 4482639549955636, i64 4482520197281720, i64 4482395517841076, i64 4482265284489409, i64 4482129254525304, i64 4481987168383486, i64 4481838748191074, i64 4481683696169781, i64 4481521692864464, i64 4481352395175570, i64 4481175434169564, i64 4480990412637506, i64 4480796902367134, i64 4480594441088331, i64 4480382529045225, i64 4480160625140311, i64 4479928142586662, i64 4479684443993061, i64 4479428835793398, i64 4479160561915451, i64 4478878796564388, i64 4478582635972392, i64 4478271088936406, i64 4477943065929958, i64 4477597366530538, i64 4477232664848704, i64 4476847492576192, i64 4476440219183781, i64 4476009028690434, i64 4475551892286424, i64 4475066535915646, i64 4474550401693506, i64 4474000601739904, i64 4473413862618200, i64 4472786458058295, i64 4472114126959004, i64 4471391972746494, i64 4470614338917719, i64 4469774653883156, i64 4468865235838896, i64 4467877045039530, i64 4466799366045354, i64 4465619395558397, i64 4464321701199635, i64 4462887501169282, i64 4461293691124341, i64 4459511507635972, i64 4457504658253067, i64 4455226650325010, i64 4452616884242348, i64 4449594783440798, i64 4446050695647666, i64 4441831266659618, i64 4436714892174061, i64 4430368316897338, i64 4422264825074740, i64 4411517007702132, i64 4396496531309976, i64 4373832704204284, i64 4335125104963628, i64 4251099761679434], align 64

; size 147 59
define internal i64 @cogir_rng_philox4x64_geometric(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, double noundef %p.2) nounwind noinline {
b0:
  %v3 = fcmp oge double %p.2, 0x3FD5555555555555
  %v4 = fcmp ole double %p.2, 0x3FF0000000000000
  %v5 = and i1 %v3, %v4
  br i1 %v5, label %b1, label %b5
b1:
  %q.6 = fsub double 0x3FF0000000000000, %p.2
  %u.7 = call double @cogir_philox4x64_uniform(ptr %words.1)
  br label %b2
b2:
  %product.8 = phi double [ %p.2, %b1 ], [ %product.14, %b3 ]
  %total.9 = phi double [ %p.2, %b1 ], [ %total.15, %b3 ]
  %value.10 = phi i64 [ 1, %b1 ], [ %value.16, %b3 ]
  %v11 = fcmp ogt double %u.7, %total.9
  %v12 = fcmp ogt double %product.8, 0x0000000000000000
  %v13 = and i1 %v11, %v12
  br i1 %v13, label %b3, label %b4
b3:
  %product.14 = fmul double %product.8, %q.6
  %total.15 = fadd double %total.9, %product.14
  %value.16 = add i64 %value.10, 1
  br label %b2
b4:
  br label %b12
b5:
  %v17 = fcmp ogt double %p.2, 0x0000000000000000
  %v18 = fcmp olt double %p.2, 0x3FD5555555555555
  %v19 = and i1 %v17, %v18
  br i1 %v19, label %b6, label %b10
b6:
  %x.20 = call double @cogir_philox4x64_exponential(ptr %words.1)
  %v21 = fneg double %x.20
  %v22 = fneg double %p.2
  %v23 = call double @log1p(double %v22) nobuiltin
  %v24 = fdiv double %v21, %v23
  %trials.25 = call double @llvm.ceil.f64(double %v24)
  %v26 = fcmp olt double %trials.25, 0x43E0000000000000
  br i1 %v26, label %b7, label %b8
b7:
  %v27 = call double @llvm.fabs.f64(double %trials.25)
  %v28 = fcmp olt double %v27, 0x43E0000000000000
  %v29 = select i1 %v28, double %trials.25, double 0x0000000000000000
  %v30 = fptosi double %v29 to i64
  %value.31 = select i1 %v28, i64 %v30, i64 -9223372036854775808
  br label %b9
b8:
  br label %b9
b9:
  %v32 = phi i64 [ %value.31, %b7 ], [ 9223372036854775807, %b8 ]
  br label %b11
b10:
  br label %b11
b11:
  %v33 = phi i64 [ %v32, %b9 ], [ -1, %b10 ]
  br label %b12
b12:
  %v34 = phi i64 [ %value.10, %b4 ], [ %v33, %b11 ]
  ret i64 %v34
}

; size 98 41
define internal i64 @cogir_rng_philox4x64_integer(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, i64 noundef %below.2) nounwind noinline {
b0:
  %v3 = icmp sgt i64 %below.2, 4294967296
  br i1 %v3, label %b1, label %b5
b1:
  br label %b2
b2:
  %high.4 = phi i64 [ 0, %b1 ], [ %high.15, %b3 ]
  %low.5 = phi i64 [ 0, %b1 ], [ %low.16, %b3 ]
  %threshold.6 = phi i64 [ 1, %b1 ], [ %threshold.18, %b3 ]
  %v7 = icmp ult i64 %low.5, %threshold.6
  br i1 %v7, label %b3, label %b4
b3:
  %bits.8 = call i64 @cogir_philox4x64_next(ptr %words.1)
  %v9 = zext i64 %bits.8 to i128
  %v10 = zext i64 %below.2 to i128
  %v11 = mul i128 %v9, %v10
  %v12 = zext i64 64 to i128
  %v13 = lshr i128 %v11, %v12
  %v14 = trunc i128 %v11 to i64
  %high.15 = trunc i128 %v13 to i64
  %low.16 = mul i64 %bits.8, %below.2
  %v17 = sub i64 0, %below.2
  %threshold.18 = urem i64 %v17, %below.2
  br label %b2
b4:
  br label %b12
b5:
  %v19 = icmp sgt i64 %below.2, 1
  br i1 %v19, label %b6, label %b10
b6:
  br label %b7
b7:
  %product.20 = phi i64 [ 0, %b6 ], [ %product.25, %b8 ]
  %threshold.21 = phi i64 [ 1, %b6 ], [ %threshold.36, %b8 ]
  %v22 = and i64 %product.20, 4294967295
  %v23 = icmp slt i64 %v22, %threshold.21
  br i1 %v23, label %b8, label %b9
b8:
  %bits.24 = call i64 @cogir_philox4x64_next_half(ptr %words.1)
  %product.25 = mul i64 %bits.24, %below.2
  %v26 = sub i64 4294967296, %below.2
  %v27 = add i64 %below.2, 1
  %v28 = icmp ult i64 %v27, 2
  %v29 = select i1 %v28, i64 1, i64 %below.2
  %v30 = srem i64 %v26, %v29
  %v31 = xor i64 %v30, %v29
  %v32 = icmp slt i64 %v31, 0
  %v33 = icmp ne i64 %v30, 0
  %v34 = and i1 %v33, %v32
  %v35 = add i64 %v30, %v29
  %threshold.36 = select i1 %v34, i64 %v35, i64 %v30
  br label %b7
b9:
  %value.37 = lshr i64 %product.20, 32
  br label %b11
b10:
  br label %b11
b11:
  %v38 = phi i64 [ %value.37, %b9 ], [ 0, %b10 ]
  br label %b12
b12:
  %v39 = phi i64 [ %high.4, %b4 ], [ %v38, %b11 ]
  ret i64 %v39
}

; size 34 19
define internal void @cogir_rng_philox4x64_keyed(i64 noundef %seed.1, i64 noundef %a.2, i64 noundef %b.3, ptr align 8 dereferenceable(104) nonnull noalias noundef %v4) nounwind noinline {
b0:
  %pool.5 = alloca [4 x i64], i64 1, align 8
  %v6 = and i64 %seed.1, 4294967295
  br label %b1
b1:
  %v7 = phi i64 [ 0, %b0 ], [ %v10, %b2 ]
  %v8 = icmp slt i64 %v7, 4
  br i1 %v8, label %b2, label %b3
b2:
  %v9 = getelementptr inbounds i64, ptr %pool.5, i64 %v7
  store i64 0, ptr %v9
  %v10 = add i64 %v7, 1
  br label %b1
b3:
  store i64 %v6, ptr %pool.5
  %v11 = call i64 @cogir_with_high_bits(i64 %a.2, i64 %seed.1)
  %v12 = and i64 %v11, 4294967295
  %v13 = getelementptr inbounds i64, ptr %pool.5, i32 1
  store i64 %v12, ptr %v13
  %v14 = and i64 %b.3, 4294967295
  %v15 = getelementptr inbounds i64, ptr %pool.5, i32 2
  store i64 %v14, ptr %v15
  call void @cogir_hash_pool(ptr %pool.5)
  call void @cogir_philox4x64_start(ptr %pool.5, ptr %v4)
  ret void
}

; size 34 20
define internal void @cogir_rng_philox4x64_keyed4(i64 noundef %seed.1, i64 noundef %a.2, i64 noundef %b.3, i64 noundef %c.4, ptr align 8 dereferenceable(104) nonnull noalias noundef %v5) nounwind noinline {
b0:
  %pool.6 = alloca [4 x i64], i64 1, align 8
  %v7 = and i64 %seed.1, 4294967295
  br label %b1
b1:
  %v8 = phi i64 [ 0, %b0 ], [ %v11, %b2 ]
  %v9 = icmp slt i64 %v8, 4
  br i1 %v9, label %b2, label %b3
b2:
  %v10 = getelementptr inbounds i64, ptr %pool.6, i64 %v8
  store i64 0, ptr %v10
  %v11 = add i64 %v8, 1
  br label %b1
b3:
  store i64 %v7, ptr %pool.6
  %v12 = call i64 @cogir_with_high_bits(i64 %a.2, i64 %seed.1)
  %v13 = and i64 %v12, 4294967295
  %v14 = getelementptr inbounds i64, ptr %pool.6, i32 1
  store i64 %v13, ptr %v14
  %v15 = and i64 %b.3, 4294967295
  %v16 = getelementptr inbounds i64, ptr %pool.6, i32 2
  store i64 %v15, ptr %v16
  %v17 = and i64 %c.4, 4294967295
  %v18 = getelementptr inbounds i64, ptr %pool.6, i32 3
  store i64 %v17, ptr %v18
  call void @cogir_hash_pool(ptr %pool.6)
  call void @cogir_philox4x64_start(ptr %pool.6, ptr %v5)
  ret void
}

; size 245 98
define internal double @cogir_rng_philox4x64_lognormal(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, double noundef %mean.2, double noundef %sigma.3) nounwind noinline {
b0:
  %v4 = fcmp oge double %sigma.3, 0x0000000000000000
  br i1 %v4, label %b1, label %b2
b1:
  %x.5 = call double @cogir_philox4x64_normal(ptr %words.1)
  %v6 = fmul double %sigma.3, %x.5
  %v7 = fadd double %mean.2, %v6
  %value.8 = call double @exp(double %v7) nobuiltin
  br label %b3
b2:
  br label %b3
b3:
  %v9 = phi double [ %value.8, %b1 ], [ 0x7FF8000000000000, %b2 ]
  ret double %v9
}

; size 245 98
define internal double @cogir_rng_philox4x64_normal(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 10
  %position.3 = load i64, ptr %v2
  %v4 = and i64 %position.3, 3
  %v5 = add i64 6, %v4
  %v6 = add i64 %v5, 13
  %v7 = icmp slt i64 %v5, 0
  %v8 = select i1 %v7, i64 %v6, i64 %v5
  %v9 = call i64 @llvm.smax.i64(i64 %v8, i64 0)
  %v10 = call i64 @llvm.smin.i64(i64 %v9, i64 12)
  %v11 = getelementptr inbounds i64, ptr %words.1, i64 %v10
  %bits.12 = load i64, ptr %v11
  %v13 = add i64 %position.3, 1
  %v14 = getelementptr inbounds i64, ptr %words.1, i32 10
  store i64 %v13, ptr %v14
  %v15 = icmp sge i64 %position.3, 4
  br i1 %v15, label %b1, label %b2
b1:
  %bits.16 = call i64 @cogir_philox4x64_first(ptr %words.1)
  br label %b3
b2:
  br label %b3
b3:
  %v17 = phi i64 [ %bits.16, %b1 ], [ %bits.12, %b2 ]
  %layer.18 = and i64 %v17, 255
  %v19 = lshr i64 %v17, 9
  %distance.20 = and i64 %v19, 4503599627370495
  %v21 = sitofp i64 %distance.20 to double
  %v22 = add i64 %layer.18, 256
  %v23 = icmp slt i64 %layer.18, 0
  %v24 = select i1 %v23, i64 %v22, i64 %layer.18
  %v25 = call i64 @llvm.smax.i64(i64 %v24, i64 0)
  %v26 = call i64 @llvm.smin.i64(i64 %v25, i64 255)
  %v27 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_normal_constant_0, i64 %v26
  %v28 = load double, ptr %v27
  %v29 = fmul double %v21, %v28
  %v30 = bitcast double %v29 to i64
  %v31 = and i64 %v17, 256
  %v32 = shl i64 %v31, 55
  %v33 = or i64 %v30, %v32
  %value.34 = bitcast i64 %v33 to double
  %v35 = add i64 %layer.18, 256
  %v36 = icmp slt i64 %layer.18, 0
  %v37 = select i1 %v36, i64 %v35, i64 %layer.18
  %v38 = call i64 @llvm.smax.i64(i64 %v37, i64 0)
  %v39 = call i64 @llvm.smin.i64(i64 %v38, i64 255)
  %v40 = getelementptr inbounds i64, ptr @cogir_rng_philox4x64_normal_constant_1, i64 %v39
  %v41 = load i64, ptr %v40
  %v42 = icmp sge i64 %distance.20, %v41
  br i1 %v42, label %b4, label %b5
b4:
  %value.43 = call double @cogir_philox4x64_outside(ptr %words.1, i64 %v17)
  br label %b6
b5:
  br label %b6
b6:
  %v44 = phi double [ %value.43, %b4 ], [ %value.34, %b5 ]
  ret double %v44
}

@cogir_rng_philox4x64_normal_constant_0 = internal constant [256 x double] [double 0x3CCF493B7815D979, double 0x3C8B8D0BE3FDF6C6, double 0x3C9250AF3C2C5BB4, double 0x3C957CB938443B61, double 0x3C9801FCE82FA70C, double 0x3C9A230C2E4CD0BC, double 0x3C9C004D2F3861F7, double 0x3C9DAC2F5A747274, double 0x3C9F32482D4CD5C3, double 0x3CA04D32278EBBAD, double 0x3CA0F5053B025D43, double 0x3CA192A697413677, double 0x3CA227A28F7A1AF5, double 0x3CA2B52E3863D880, double 0x3CA33C3FC05791F5, double 0x3CA3BD9EC1A2B12F, double 0x3CA439EF8DFF9B55, double 0x3CA4B1BB363DFEA7, double 0x3CA52575621AD374, double 0x3CA59580A707CE96, double 0x3CA60231CFD97EEA, double 0x3CA66BD261A37C3D, double 0x3CA6D2A292000570, double 0x3CA736DAD346F8A6, double 0x3CA798AD10B32A77, double 0x3CA7F845AD46F543, double 0x3CA855CC53430A77, double 0x3CA8B1649E7B769A, double 0x3CA90B2EA94ECF98, double 0x3CA96347822C1EEA, double 0x3CA9B9C98E38C546, double 0x3CAA0ECCDCA4A72C, double 0x3CAA62676D77CD59, double 0x3CAAB4AD6E101630, double 0x3CAB05B16D136C9C, double 0x3CAB558487427A29, double 0x3CABA4368E529F3A, double 0x3CABF1D62ABF8232, double 0x3CAC3E70F9594EF3, double 0x3CAC8A13A5323B61, double 0x3CACD4C9FE72268B, double 0x3CAD1E9F0E80B748, double 0x3CAD679D29E41F10, double 0x3CADAFCE0023B8C3, double 0x3CADF73AA9F17653, double 0x3CAE3DEBB5D2EDFE, double 0x3CAE83E9337A6F00, double 0x3CAEC93ABDF982CE, double 0x3CAF0DE784F06226, double 0x3CAF51F654D8F688, double 0x3CAF956D9E87D7AE, double 0x3CAFD8537DFA2EAC, double 0x3CB00D56E04234EC, double 0x3CB02E40F5398F9A, double 0x3CB04EEA9E16A5FC, double 0x3CB06F565B72A010, double 0x3CB08F869071F40B, double 0x3CB0AF7D84BC6113, double 0x3CB0CF3D664BCC7F, double 0x3CB0EEC84B16086B, double 0x3CB10E20329515EE, double 0x3CB12D4707310FBE, double 0x3CB14C3E9F8E9141, double 0x3CB16B08BFC4201E, double 0x3CB189A71A78DA34, double 0x3CB1A81B51EE6D88, double 0x3CB1C666F8F82ACB, double 0x3CB1E48B93E0D42E, double 0x3CB2028A9940A09F, double 0x3CB2206572C4C6E9, double 0x3CB23E1D7DE9C31F, double 0x3CB25BB40CA96BFB, double 0x3CB2792A661DD37F, double 0x3CB29681C719D71B, double 0x3CB2B3BB62B82EDA, double 0x3CB2D0D862E1B853, double 0x3CB2EDD9E8CBA98E, double 0x3CB30AC10D6E48D7, double 0x3CB3278EE1F4B930, double 0x3CB3444470265EA1, double 0x3CB360E2BACA52D5, double 0x3CB37D6ABE05586A, double 0x3CB399DD6FB2B264, double 0x3CB3B63BBFB83D03, double 0x3CB3D28698561DE0, double 0x3CB3EEBEDE725A83, double 0x3CB40AE571E09E74, double 0x3CB426FB2DA6745D, double 0x3CB44300E83C30A4, double 0x3CB45EF773CAC75D, double 0x3CB47ADF9E66C336, double 0x3CB496BA32488F2F, double 0x3CB4B287F602415D, double 0x3CB4CE49ACB311DC, double 0x3CB4EA001638A605, double 0x3CB505ABEF5E5562, double 0x3CB5214DF20A8B5A, double 0x3CB53CE6D56A664F, double 0x3CB558774E1BB2C8, double 0x3CB574000E555F78, double 0x3CB58F81C60E8514, double 0x3CB5AAFD23241B59, double 0x3CB5C672D17D733D, double 0x3CB5E1E37B2F8CD3, double 0x3CB5FD4FC89F5E38, double 0x3CB618B860A31FC3, double 0x3CB6341DE8A2B0A2, double 0x3CB64F8104B7260B, double 0x3CB66AE257C99672, double 0x3CB6864283B13137, double 0x3CB6A1A22950B2B1, double 0x3CB6BD01E8B343BB, double 0x3CB6D8626128D352, double 0x3CB6F3C43161F854, double 0x3CB70F27F78B68EB, double 0x3CB72A8E516914C6, double 0x3CB745F7DC70EEDC, double 0x3CB7616535E5731F, double 0x3CB77CD6FAEFF449, double 0x3CB7984DC8BABD93, double 0x3CB7B3CA3C8B1409, double 0x3CB7CF4CF3DB22FB, double 0x3CB7EAD68C73DEE7, double 0x3CB80667A486EA1F, double 0x3CB82200DAC88676, double 0x3CB83DA2CE899F15, double 0x3CB8594E1FD1F5BD, double 0x3CB875036F7A7EC5, double 0x3CB890C35F47F72D, double 0x3CB8AC8E9205C043, double 0x3CB8C865ABA10C9C, double 0x3CB8E44951446A27, double 0x3CB9003A2973B58F, double 0x3CB91C38DC288347, double 0x3CB9384612EF0AFC, double 0x3CB954627903A28A, double 0x3CB9708EBB70D5EE, double 0x3CB98CCB892E2A31, double 0x3CB9A919933F99BF, double 0x3CB9C5798CD5D92C, double 0x3CB9E1EC2B6F7411, double 0x3CB9FE7226FAD24A, double 0x3CBA1B0C39F93692, double 0x3CBA37BB21A2C85B, double 0x3CBA547F9E0BBB88, double 0x3CBA715A724AA9A4, double 0x3CBA8E4C64A0313D, double 0x3CBAAB563E9FF108, double 0x3CBAC878CD5AF5CE, double 0x3CBAE5B4E18BB336, double 0x3CBB030B4FC3A11A, double 0x3CBB207CF09A985B, double 0x3CBB3E0AA0E00C00, double 0x3CBB5BB541CE3D03, double 0x3CBB797DB93F8927, double 0x3CBB9764F1E5F73C, double 0x3CBBB56BDB85256E, double 0x3CBBD3936B2EC0A2, double 0x3CBBF1DC9B81AE83, double 0x3CBC10486CEC16A0, double 0x3CBC2ED7E5F07A2D, double 0x3CBC4D8C136E0D1C, double 0x3CBC6C6608EC8705, double 0x3CBC8B66E0EBA617, double 0x3CBCAA8FBD36A2AB, double 0x3CBCC9E1C73BD690, double 0x3CBCE95E3068E037, double 0x3CBD0906328B8F6E, double 0x3CBD28DB1037EF20, double 0x3CBD48DE1533C647, double 0x3CBD691096E7F123, double 0x3CBD8973F4D7FBA5, double 0x3CBDAA0999206E70, double 0x3CBDCAD2F8FC490E, double 0x3CBDEBD195522E37, double 0x3CBE0D06FB49D21C, double 0x3CBE2E74C4EA46F6, double 0x3CBE501C99C1D188, double 0x3CBE72002F97FE25, double 0x3CBE94214B2ABF0A, double 0x3CBEB681C0F76F08, double 0x3CBED9237610A73A, double 0x3CBEFC086101ECA9, double 0x3CBF1F328AC25321, double 0x3CBF42A40FB74D6D, double 0x3CBF665F20C90168, double 0x3CBF8A6604899782, double 0x3CBFAEBB187122BF, double 0x3CBFD360D22FE785, double 0x3CBFF859C118F60B, double 0x3CC00ED447D3A075, double 0x3CC021A8028FC947, double 0x3CC034A983A902AB, double 0x3CC047DA4E3EF5C7, double 0x3CC05B3BF6ADB37E, double 0x3CC06ED023A72668, double 0x3CC082988F632E17, double 0x3CC0969708E8A254, double 0x3CC0AACD7571C0C4, double 0x3CC0BF3DD1EED448, double 0x3CC0D3EA34AA3D30, double 0x3CC0E8D4CF116593, double 0x3CC0FDFFEFA69FB6, double 0x3CC1136E04207041, double 0x3CC129219BBB5D35, double 0x3CC13F1D69C4096D, double 0x3CC1556448602E3B, double 0x3CC16BF93B9DEEF3, double 0x3CC182DF74D21261, double 0x3CC19A1A564EEBAC, double 0x3CC1B1AD777F2F8E, double 0x3CC1C99CA971A694, double 0x3CC1E1EBFBE4AE39, double 0x3CC1FA9FC2E2D901, double 0x3CC213BC9D04CC81, double 0x3CC22D477A6FD3EE, double 0x3CC24745A4AC9C24, double 0x3CC261BCC77658E0, double 0x3CC27CB2FAA8592E, double 0x3CC2982ECD770E78, double 0x3CC2B437532A0A52, double 0x3CC2D0D43196DB97, double 0x3CC2EE0DB1A978F5, double 0x3CC30BECD256AEEE, double 0x3CC32A7B5E68A4A3, double 0x3CC349C405AE12A3, double 0x3CC369D27A33A840, double 0x3CC38AB39256410A, double 0x3CC3AC7570AE88FA, double 0x3CC3CF27B31704A6, double 0x3CC3F2DBAA60F475, double 0x3CC417A49CB9E5DA, double 0x3CC43D9815545E94, double 0x3CC464CE44A73A15, double 0x3CC48D62759C43BC, double 0x3CC4B7739D6B5A27, double 0x3CC4E3250DCD8902, double 0x3CC5109F53E9AC41, double 0x3CC54011523A7E42, double 0x3CC571B1A94AE41B, double 0x3CC5A5C08B718DD9, double 0x3CC5DC8A243AD0FE, double 0x3CC61669CF861E4C, double 0x3CC653CE7B006AEA, double 0x3CC69540BE9FE5C3, double 0x3CC6DB6B8D09E232, double 0x3CC72728F05F7A34, double 0x3CC7799556090673, double 0x3CC7D42DF4D6CE8C, double 0x3CC839030529F234, double 0x3CC8AB0FBFAA7C14, double 0x3CC92EE0946F4496, double 0x3CC9CBEE014057AB, double 0x3CCA8FDC7894775A, double 0x3CCB981F3878FDB1, double 0x3CCD3BB48209AD33], align 64

@cogir_rng_philox4x64_normal_constant_1 = internal constant [256 x i64] [i64 4208095142473578, i64 0, i64 3387314423973544, i64 3838760076542274, i64 4030768804392682, i64 4136731738896254, i64 4203757248105145, i64 4249917568205994, i64 4283617341590296, i64 4309289223136604, i64 4329489775174550, i64 4345795907393188, i64 4359232558744730, i64 4370494503737299, i64 4380069246215646, i64 4388308869042394, i64 4395473957549321, i64 4401761481783924, i64 4407323076021240, i64 4412277362218204, i64 4416718463613199, i64 4420722014516422, i64 4424349484777079, i64 4427651345409294, i64 4430669422005229, i64 4433438668975191, i64 4435988524278344, i64 4438343955930065, i64 4440526279077425, i64 4442553800234660, i64 4444442329865861, i64 4446205593658138, i64 4447855565093316, i64 4449402736340121, i64 4450856340408624, i64 4452224534496486, i64 4453514552210512, i64 4454732830656798, i64 4455885117109368, i64 4456976558985043, i64 4458011780094444, i64 4458994945550386, i64 4459929817254120, i64 4460819801517196, i64 4461667990089170, i64 4462477195632268, i64 4463249982500384, i64 4463988693531856, i64 4464695473445501, i64 4465372289331869, i64 4466020948651920, i64 4466643115089764, i64 4467240322552142, i64 4467813987562542, i64 4468365420260672, i64 4468895834186994, i64 4469406355006040, i64 4469898028300364, i64 4470371826548633, i64 4470828655385770, i64 4471269359229841, i64 4471694726349190, i64 4472105493433674, i64 4472502349725738, i64 4472885940759935, i64 4473256871753524, i64 4473615710685532, i64 4473962991097124, i64 4474299214642296, i64 4474624853414418, i64 4474940352071305, i64 4475246129778808, i64 4475542581990776, i64 4475830082081194, i64 4476108982842610, i64 4476379617863426, i64 4476642302795321, i64 4476897336520866, i64 4477145002230339, i64 4477385568415884, i64 4477619289790266, i64 4477846408136804, i64 4478067153096380, i64 4478281742896886, i64 4478490385029917, i64 4478693276879082, i64 4478890606303906, i64 4479082552182886, i64 4479269284918997, i64 4479450966910588, i64 4479627752990372, i64 4479799790834988, i64 4479967221347354, i64 4480130179013872, i64 4480288792238368, i64 4480443183654460, i64 4480593470417939, i64 4480739764480586, i64 4480882172846772, i64 4481020797814010, i64 4481155737198612, i64 4481287084547452, i64 4481414929336784, i64 4481539357158974, i64 4481660449897960, i64 4481778285894165, i64 4481892940099539, i64 4482004484223382, i64 4482112986869492, i64 4482218513665204, i64 4482321127382802, i64 4482420888053758, i64 4482517853076245, i64 4482612077316275, i64 4482703613202871, i64 4482792510817576, i64 4482878817978627, i64 4482962580320076, i64 4483043841366126, i64 4483122642600925, i64 4483199023534056, i64 4483273021761922, i64 4483344673025224, i64 4483414011262724, i64 4483481068661428, i64 4483545875703378, i64 4483608461209170, i64 4483668852378323, i64 4483727074826624, i64 4483783152620564, i64 4483837108308932, i64 4483888962951686, i64 4483938736146144, i64 4483986446050596, i64 4484032109405372, i64 4484075741551420, i64 4484117356446452, i64 4484156966678662, i64 4484194583478081, i64 4484230216725550, i64 4484263874959345, i64 4484295565379450, i64 4484325293849474, i64 4484353064896186, i64 4484378881706674, i64 4484402746123075, i64 4484424658634833, i64 4484444618368474, i64 4484462623074794, i64 4484478669113436, i64 4484492751434740, i64 4484504863558830, i64 4484514997551788, i64 4484523143998833, i64 4484529291974394, i64 4484533429008906, i64 4484535541052219, i64 4484535612433424, i64 4484533625816926, i64 4484529562154580, i64 4484523400633636, i64 4484515118620291, i64 4484504691598554, i64 4484492093104164, i64 4484477294653230, i64 4484460265665252, i64 4484440973380154, i64 4484419382768918, i64 4484395456437370, i64 4484369154522621, i64 4484340434581640, i64 4484309251471359, i64 4484275557219678, i64 4484239300886654, i64 4484200428415112, i64 4484158882469814, i64 4484114602264271, i64 4484067523374160, i64 4484017577536216, i64 4483964692431365, i64 4483908791450714, i64 4483849793442887, i64 4483787612441036, i64 4483722157367660, i64 4483653331715198, i64 4483581033200083, i64 4483505153387764, i64 4483425577285833, i64 4483342182902157, i64 4483254840764470, i64 4483163413397547, i64 4483067754753536, i64 4482967709590562, i64 4482863112794072, i64 4482753788634692, i64 4482639549955636, i64 4482520197281720, i64 4482395517841076, i64 4482265284489409, i64 4482129254525304, i64 4481987168383486, i64 4481838748191074, i64 4481683696169781, i64 4481521692864464, i64 4481352395175570, i64 4481175434169564, i64 4480990412637506, i64 4480796902367134, i64 4480594441088331, i64 4480382529045225, i64 4480160625140311, i64 4479928142586662, i64 4479684443993061, i64 4479428835793398, i64 4479160561915451, i64 4478878796564388, i64 4478582635972392, i64 4478271088936406, i64 4477943065929958, i64 4477597366530538, i64 4477232664848704, i64 4476847492576192, i64 4476440219183781, i64 4476009028690434, i64 4475551892286424, i64 4475066535915646, i64 4474550401693506, i64 4474000601739904, i64 4473413862618200, i64 4472786458058295, i64 4472114126959004, i64 4471391972746494, i64 4470614338917719, i64 4469774653883156, i64 4468865235838896, i64 4467877045039530, i64 4466799366045354, i64 4465619395558397, i64 4464321701199635, i64 4462887501169282, i64 4461293691124341, i64 4459511507635972, i64 4457504658253067, i64 4455226650325010, i64 4452616884242348, i64 4449594783440798, i64 4446050695647666, i64 4441831266659618, i64 4436714892174061, i64 4430368316897338, i64 4422264825074740, i64 4411517007702132, i64 4396496531309976, i64 4373832704204284, i64 4335125104963628, i64 4251099761679434], align 64

@cogir_rng_philox4x64_normal_constant_2 = internal constant [256 x double] [double 0x3FF0000000000000, double 0x3FEF446AC979F087, double 0x3FEEB7545B6CA915, double 0x3FEE3F11E027F077, double 0x3FEDD36FA704DE95, double 0x3FED70920657BCF2, double 0x3FED144978A119DC, double 0x3FECBD33A8A72DEB, double 0x3FEC6A5ECEA9787F, double 0x3FEC1B1CD9EEBAEA, double 0x3FEBCEEB4EE1DC82, double 0x3FEB85653A8FF552, double 0x3FEB3E3A8234DD10, double 0x3FEAF92A3F6CE8A2, double 0x3FEAB5FEF17A2504, double 0x3FEA748BD550C9E1, double 0x3FEA34AAFDF5AF0F, double 0x3FE9F63BEE651FD8, double 0x3FE9B9228D240681, double 0x3FE97D4657617AC1, double 0x3FE94291C21B7A47, double 0x3FE908F1BD31714F, double 0x3FE8D0554FE60AA8, double 0x3FE898AD48BADF02, double 0x3FE861EBFC37BCAC, double 0x3FE82C050F56CF6E, double 0x3FE7F6ED4B20E2CB, double 0x3FE7C29A779C6858, double 0x3FE78F033CA0B0D5, double 0x3FE75C1F0770D856, double 0x3FE729E5F43F6D12, double 0x3FE6F850BAEA7AEE, double 0x3FE6C7589E635A89, double 0x3FE696F75E513B2A, double 0x3FE667272A92E323, double 0x3FE637E298550C18, double 0x3FE6092498802665, double 0x3FE5DAE86F4AFF6A, double 0x3FE5AD29ACC85C89, double 0x3FE57FE4264C8D8F, double 0x3FE55313F08D9E46, double 0x3FE526B55A656CD5, double 0x3FE4FAC4E820B667, double 0x3FE4CF3F4F494EC0, double 0x3FE4A42172DC5278, double 0x3FE479685FDF5012, double 0x3FE44F114A493679, double 0x3FE425198A355FE3, double 0x3FE3FB7E99585B82, double 0x3FE3D23E10AF31A3, double 0x3FE3A955A662CD0E, double 0x3FE380C32BDA00D5, double 0x3FE358848BF550E9, double 0x3FE33097C9703A35, double 0x3FE308FAFD6438EF, double 0x3FE2E1AC55EA3BEE, double 0x3FE2BAAA14D7954A, double 0x3FE293F28E93CD15, double 0x3FE26D84290504ED, double 0x3FE2475D5A90DB84, double 0x3FE2217CA92FF7F2, double 0x3FE1FBE0A9929620, double 0x3FE1D687FE549969, double 0x3FE1B171573FD111, double 0x3FE18C9B709B3C50, double 0x3FE16805128639DA, double 0x3FE143AD105EA99C, double 0x3FE11F9248311F38, double 0x3FE0FBB3A2325913, double 0x3FE0D810104142A0, double 0x3FE0B4A68D70D9AE, double 0x3FE091761D995D81, double 0x3FE06E7DCCF03C36, double 0x3FE04BBCAFA63F2E, double 0x3FE02931E18B822A, double 0x3FE006DC85B8CAC4, double 0x3FDFC9778C7BBDA1, double 0x3FDF859DA7A900CA, double 0x3FDF4229CB2F7AF3, double 0x3FDEFF1A717E8F95, double 0x3FDEBC6E20BD1F54, double 0x3FDE7A236A4EC3C5, double 0x3FDE3838EA5F9B85, double 0x3FDDF6AD47763A09, double 0x3FDDB57F320B56B1, double 0x3FDD74AD6426DE33, double 0x3FDD3436A1021080, double 0x3FDCF419B4AE5B6D, double 0x3FDCB45573C0A848, double 0x3FDC74E8BB00D7C7, double 0x3FDC35D26F1D2CB8, double 0x3FDBF7117C616A17, double 0x3FDBB8A4D6716D91, double 0x3FDB7A8B7807131B, double 0x3FDB3CC462B331CA, double 0x3FDAFF4E9EA18552, double 0x3FDAC2293A5F5A9E, double 0x3FDA85534AA4D880, double 0x3FDA48CBEA20C04D, double 0x3FDA0C923946843E, double 0x3FD9D0A55E1E93DF, double 0x3FD995048418C0C6, double 0x3FD959AEDBE09F93, double 0x3FD91EA39B33CB17, double 0x3FD8E3E1FCB9F115, double 0x3FD8A9693FDE9188, double 0x3FD86F38A8AC5AB6, double 0x3FD8354F7FAA0DD9, double 0x3FD7FBAD11B8D911, double 0x3FD7C250AFF414B0, double 0x3FD78939AF9252EB, double 0x3FD7506769C7B1ED, double 0x3FD717D93BA9614C, double 0x3FD6DF8E86124CAA, double 0x3FD6A786AD88DE21, double 0x3FD66FC11A25CBE2, double 0x3FD6383D377BE515, double 0x3FD600FA7480D2C8, double 0x3FD5C9F84376C244, double 0x3FD5933619D6EEBE, double 0x3FD55CB3703D0100, double 0x3FD5266FC2533BED, double 0x3FD4F06A8EBF6D92, double 0x3FD4BAA357109CA2, double 0x3FD485199FAD6AD4, double 0x3FD44FCCEFC324FE, double 0x3FD41ABCD1357A19, double 0x3FD3E5E8D08ED2DB, double 0x3FD3B1507CF143AE, double 0x3FD37CF368081379, double 0x3FD348D125F9D19E, double 0x3FD314E94D5AF62F, double 0x3FD2E13B77210766, double 0x3FD2ADC73E963FDD, double 0x3FD27A8C414DB11E, double 0x3FD2478A1F17DE89, double 0x3FD214C079F7CC9E, double 0x3FD1E22EF6188116, double 0x3FD1AFD539C2F050, double 0x3FD17DB2ED5454E8, double 0x3FD14BC7BB34EE67, double 0x3FD11A134FCF2423, double 0x3FD0E895598709C4, double 0x3FD0B74D88B242DA, double 0x3FD0863B8F904336, double 0x3FD0555F2242E9D9, double 0x3FD024B7F6C7747E, double 0x3FCFE88B89DF93C5, double 0x3FCF88108CB83235, double 0x3FCF27FE6CE998D2, double 0x3FCEC854A4C99C44, double 0x3FCE6912B2283CDD, double 0x3FCE0A3816457184, double 0x3FCDABC455C7900A, double 0x3FCD4DB6F8B2514F, double 0x3FCCF00F8A5E6FCC, double 0x3FCC92CD9971DF53, double 0x3FCC35F0B7D89D47, double 0x3FCBD9787ABE18A1, double 0x3FCB7D647A8731AA, double 0x3FCB21B452CCD13A, double 0x3FCAC667A2571807, double 0x3FCA6B7E0B19267E, double 0x3FCA10F7322D7E3D, double 0x3FC9B6D2BFD2FE5A, double 0x3FC95D105F6A7C27, double 0x3FC903AFBF74FA69, double 0x3FC8AAB09192815B, double 0x3FC852128A819A38, double 0x3FC7F9D5621F7175, double 0x3FC7A1F8D368A323, double 0x3FC74A7C9C7AB5A6, double 0x3FC6F3607E964716, double 0x3FC69CA43E21F25C, double 0x3FC64647A2ADF19C, double 0x3FC5F04A76F883F9, double 0x3FC59AAC88F31D6C, double 0x3FC5456DA9C86835, double 0x3FC4F08DADE31FC1, double 0x3FC49C0C6CF5CE2D, double 0x3FC447E9C20375D5, double 0x3FC3F4258B6931AE, double 0x3FC3A0BFAAE8D7EE, double 0x3FC34DB805B4AB88, double 0x3FC2FB0E847C2A65, double 0x3FC2A8C3137A071A, double 0x3FC256D5A2835EB7, double 0x3FC2054625183C34, double 0x3FC1B41492757D42, double 0x3FC16340E5A82D63, double 0x3FC112CB1DA26EB9, double 0x3FC0C2B33D5209BA, double 0x3FC072F94BB8BF85, double 0x3FC0239D54067D2A, double 0x3FBFA93ECB6B222C, double 0x3FBF0BFF29520E1C, double 0x3FBE6F7BF29AA54B, double 0x3FBDD3B56176E88F, double 0x3FBD38ABB9BD91E5, double 0x3FBC9E5F493B740A, double 0x3FBC04D0680B1015, double 0x3FBB6BFF78F2E233, double 0x3FBAD3ECE9CAF633, double 0x3FBA3C9933EA6286, double 0x3FB9A604DC9D5B19, double 0x3FB9103075A4A0AB, double 0x3FB87B1C9DBF2852, double 0x3FB7E6CA013EEFD6, double 0x3FB753395AAA1176, double 0x3FB6C06B73694A4C, double 0x3FB62E6124854D18, double 0x3FB59D1B577466A4, double 0x3FB50C9B06FA2BAE, double 0x3FB47CE1401B2213, double 0x3FB3EDEF23269A86, double 0x3FB35FC5E4D93E70, double 0x3FB2D266CF9B3111, double 0x3FB245D344DD0D91, double 0x3FB1BA0CBE97897D, double 0x3FB12F14D0F2179D, double 0x3FB0A4ED2C159625, double 0x3FB01B979E30E497, double 0x3FAF262C2B6C6E35, double 0x3FAE16D547B25181, double 0x3FAD092EFEADF162, double 0x3FABFD3E0F282A2C, double 0x3FAAF30790385F70, double 0x3FA9EA90F9295563, double 0x3FA8E3E02A68B5AB, double 0x3FA7DEFB77AF271E, double 0x3FA6DBE9B398D064, double 0x3FA5DAB23CF2ADD4, double 0x3FA4DB5D0E11275D, double 0x3FA3DDF2CE98EECB, double 0x3FA2E27CE83DF497, double 0x3FA1E9059F1F6ABC, double 0x3FA0F1982E968011, double 0x3F9FF881D718A5C4, double 0x3F9E121ADB828C75, double 0x3F9C301983CD091A, double 0x3F9A529F4E22EBF8, double 0x3F9879D1B600C10A, double 0x3F96A5DAF40BBF82, double 0x3F94D6EAF2FBB064, double 0x3F930D388DAB5E13, double 0x3F91490334603012, double 0x3F8F152A4F72DD49, double 0x3F8BA48D274F8FAC, double 0x3F8841040D8DA478, double 0x3F84EB96421ACFE0, double 0x3F81A59229952F92, double 0x3F7CE160F8EC6837, double 0x3F769EA8D90CB85D, double 0x3F708A1F03B0B1FD, double 0x3F655F9F43C1B067, double 0x3F54A605B6B9F70F], align 64

; size 162 55
define internal i64 @cogir_rng_philox4x64_poisson(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1, double noundef %mean.2) nounwind noinline {
b0:
  %v3 = fcmp oge double %mean.2, 0x4024000000000000
  %v4 = fcmp ole double %mean.2, 0x43DFFFFFFE3B73A0
  %v5 = and i1 %v3, %v4
  br i1 %v5, label %b1, label %b23
b1:
  %root.6 = call double @llvm.sqrt.f64(double %mean.2)
  %log_mean.7 = call double @log(double %mean.2) nobuiltin
  %v8 = fmul double 0x40043D70A3D70A3D, %root.6
  %b.9 = fadd double 0x3FEDCAC083126E98, %v8
  %v10 = fmul double 0x3F996D0917D6B65B, %b.9
  %a.11 = fadd double 0xBFAE353F7CED9168, %v10
  %v12 = fsub double %b.9, 0x400B333333333333
  %v13 = fdiv double 0x3FF21FF2E48E8A72, %v12
  %inverse_alpha.14 = fadd double 0x3FF1FB7E90FF9724, %v13
  %v15 = fsub double %b.9, 0x4000000000000000
  %v16 = fdiv double 0x400CFAACD9E83E42, %v15
  %bound.17 = fsub double 0x3FEDAFB7E90FF972, %v16
  br label %b2
b2:
  %value.18 = phi i64 [ -1, %b1 ], [ %v106, %b21 ]
  %waiting.19 = phi i1 [ true, %b1 ], [ %v107, %b21 ]
  br i1 %waiting.19, label %b3, label %b22
b3:
  %u.20 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %v.21 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %u.22 = fsub double %u.20, 0x3FE0000000000000
  %v23 = call double @llvm.fabs.f64(double %u.22)
  %distance.24 = fsub double 0x3FE0000000000000, %v23
  %v25 = fcmp ogt double %distance.24, 0x0000000000000000
  br i1 %v25, label %b4, label %b20
b4:
  %v26 = fmul double 0x4000000000000000, %a.11
  %v27 = fdiv double %v26, %distance.24
  %v28 = fadd double %v27, %b.9
  %v29 = fmul double %v28, %u.22
  %v30 = fadd double %v29, %mean.2
  %v31 = fadd double %v30, 0x3FDB851EB851EB85
  %v32 = call double @llvm.floor.f64(double %v31)
  %v33 = call double @llvm.fabs.f64(double %v32)
  %v34 = fcmp olt double %v33, 0x43E0000000000000
  %v35 = select i1 %v34, double %v32, double 0x0000000000000000
  %v36 = fptosi double %v35 to i64
  %value.37 = select i1 %v34, i64 %v36, i64 -9223372036854775808
  %v38 = fcmp oge double %distance.24, 0x3FB1EB851EB851EC
  %v39 = fcmp ole double %v.21, %bound.17
  %v40 = and i1 %v38, %v39
  br i1 %v40, label %b5, label %b6
b5:
  br label %b19
b6:
  %v41 = icmp sge i64 %value.37, 0
  %v42 = fcmp olt double %distance.24, 0x3F8A9FBE76C8B439
  %v43 = fcmp ogt double %v.21, %distance.24
  %v44 = and i1 %v42, %v43
  %v45 = xor i1 %v44, true
  %v46 = and i1 %v41, %v45
  br i1 %v46, label %b7, label %b17
b7:
  %v47 = call double @log(double %v.21) nobuiltin
  %v48 = call double @log(double %inverse_alpha.14) nobuiltin
  %v49 = fadd double %v47, %v48
  %v50 = fmul double %distance.24, %distance.24
  %v51 = fdiv double %a.11, %v50
  %x.52 = fadd double %v51, %b.9
  %v53 = call double @log(double %x.52) nobuiltin
  %height.54 = fsub double %v49, %v53
  %v55 = fneg double %mean.2
  %v56 = sitofp i64 %value.37 to double
  %v57 = fmul double %v56, %log_mean.7
  %v58 = fadd double %v55, %v57
  %v59 = sitofp i64 %value.37 to double
  %x.60 = fadd double %v59, 0x3FF0000000000000
  %v61 = fcmp une double %x.60, 0x3FF0000000000000
  %v62 = fcmp une double %x.60, 0x4000000000000000
  %v63 = and i1 %v61, %v62
  br i1 %v63, label %b8, label %b15
b8:
  %v64 = fcmp ole double %x.60, 0x401C000000000000
  %v65 = fsub double 0x401C000000000000, %x.60
  %v66 = call double @llvm.fabs.f64(double %v65)
  %v67 = fcmp olt double %v66, 0x43E0000000000000
  %v68 = select i1 %v67, double %v65, double 0x0000000000000000
  %v69 = fptosi double %v68 to i64
  %v70 = select i1 %v67, i64 %v69, i64 -9223372036854775808
  %more.71 = select i1 %v64, i64 %v70, i64 0
  %v72 = sitofp i64 %more.71 to double
  %shifted.73 = fadd double %x.60, %v72
  %v74 = fmul double %shifted.73, %shifted.73
  %inverse.75 = fdiv double 0x3FF0000000000000, %v74
  br label %b9
b9:
  %i.76 = phi i64 [ 0, %b8 ], [ %v83, %b10 ]
  %series.77 = phi double [ 0x0000000000000000, %b8 ], [ %series.82, %b10 ]
  %v78 = icmp slt i64 %i.76, 10
  br i1 %v78, label %b10, label %b11
b10:
  %v79 = fmul double %series.77, %inverse.75
  %v80 = getelementptr inbounds double, ptr @cogir_rng_philox4x64_poisson_constant_0, i64 %i.76
  %v81 = load double, ptr %v80
  %series.82 = fadd double %v79, %v81
  %v83 = add i64 %i.76, 1
  br label %b9
b11:
  %v84 = fdiv double %series.77, %shifted.73
  %v85 = fadd double %v84, 0x3FED67F1C864BEB4
  %v86 = fsub double %shifted.73, 0x3FE0000000000000
  %v87 = call double @log(double %shifted.73) nobuiltin
  %v88 = fmul double %v86, %v87
  %v89 = fadd double %v85, %v88
  %result.90 = fsub double %v89, %shifted.73
  br label %b12
b12:
  %i.91 = phi i64 [ 0, %b11 ], [ %v99, %b13 ]
  %result.92 = phi double [ %result.90, %b11 ], [ %result.97, %b13 ]
  %shifted.93 = phi double [ %shifted.73, %b11 ], [ %shifted.98, %b13 ]
  %v94 = icmp slt i64 %i.91, %more.71
  br i1 %v94, label %b13, label %b14
b13:
  %x.95 = fsub double %shifted.93, 0x3FF0000000000000
  %v96 = call double @log(double %x.95) nobuiltin
  %result.97 = fsub double %result.92, %v96
  %shifted.98 = fsub double %shifted.93, 0x3FF0000000000000
  %v99 = add i64 %i.91, 1
  br label %b12
b14:
  br label %b16
b15:
  br label %b16
b16:
  %v100 = phi double [ %result.92, %b14 ], [ 0x0000000000000000, %b15 ]
  %v101 = fsub double %v58, %v100
  %v102 = fcmp ole double %height.54, %v101
  %waiting.103 = xor i1 %v102, true
  br label %b18
b17:
  br label %b18
b18:
  %v104 = phi i1 [ %waiting.103, %b16 ], [ %waiting.19, %b17 ]
  br label %b19
b19:
  %v105 = phi i1 [ false, %b5 ], [ %v104, %b18 ]
  br label %b21
b20:
  br label %b21
b21:
  %v106 = phi i64 [ %value.37, %b19 ], [ %value.18, %b20 ]
  %v107 = phi i1 [ %v105, %b19 ], [ %waiting.19, %b20 ]
  br label %b2
b22:
  br label %b33
b23:
  %v108 = fcmp oeq double %mean.2, 0x0000000000000000
  br i1 %v108, label %b24, label %b25
b24:
  br label %b32
b25:
  %v109 = fcmp ogt double %mean.2, 0x0000000000000000
  %v110 = fcmp olt double %mean.2, 0x4024000000000000
  %v111 = and i1 %v109, %v110
  br i1 %v111, label %b26, label %b30
b26:
  %x.112 = fneg double %mean.2
  %limit.113 = call double @exp(double %x.112) nobuiltin
  br label %b27
b27:
  %product.114 = phi double [ 0x3FF0000000000000, %b26 ], [ %product.118, %b28 ]
  %value.115 = phi i64 [ -1, %b26 ], [ %value.119, %b28 ]
  %waiting.116 = phi i1 [ true, %b26 ], [ %waiting.120, %b28 ]
  br i1 %waiting.116, label %b28, label %b29
b28:
  %u.117 = call double @cogir_philox4x64_uniform(ptr %words.1)
  %product.118 = fmul double %product.114, %u.117
  %value.119 = add i64 %value.115, 1
  %waiting.120 = fcmp ogt double %product.118, %limit.113
  br label %b27
b29:
  br label %b31
b30:
  br label %b31
b31:
  %v121 = phi i64 [ %value.115, %b29 ], [ -1, %b30 ]
  br label %b32
b32:
  %v122 = phi i64 [ 0, %b24 ], [ %v121, %b31 ]
  br label %b33
b33:
  %v123 = phi i64 [ %value.18, %b22 ], [ %v122, %b32 ]
  ret i64 %v123
}

@cogir_rng_philox4x64_poisson_constant_0 = internal constant [10 x double] [double 0xBFF6476701181F35, double 0x3FC6FE96381E0685, double 0xBF9E4286CB0F5397, double 0x3F7A41A41A41A41A, double 0xBF5F6AB0D9993C7F, double 0x3F4B951E2B18FF24, double 0xBF43813813813813, double 0x3F4A01A01A01A01A, double 0xBF66C16C16C16C17, double 0x3FB5555555555555], align 64

; size 34 18
define internal void @cogir_rng_philox4x64_seed(i64 noundef %seed.1, ptr align 8 dereferenceable(104) nonnull noalias noundef %v2) nounwind noinline {
b0:
  %pool.3 = alloca [4 x i64], i64 1, align 8
  %v4 = and i64 %seed.1, 4294967295
  br label %b1
b1:
  %v5 = phi i64 [ 0, %b0 ], [ %v8, %b2 ]
  %v6 = icmp slt i64 %v5, 4
  br i1 %v6, label %b2, label %b3
b2:
  %v7 = getelementptr inbounds i64, ptr %pool.3, i64 %v5
  store i64 0, ptr %v7
  %v8 = add i64 %v5, 1
  br label %b1
b3:
  store i64 %v4, ptr %pool.3
  %v9 = lshr i64 %seed.1, 32
  %v10 = getelementptr inbounds i64, ptr %pool.3, i32 1
  store i64 %v9, ptr %v10
  call void @cogir_hash_pool(ptr %pool.3)
  call void @cogir_philox4x64_start(ptr %pool.3, ptr %v2)
  ret void
}

; size 49 18
define internal double @cogir_rng_philox4x64_uniform(ptr align 8 dereferenceable(104) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %bits.2 = call i64 @cogir_philox4x64_next(ptr %words.1)
  %v3 = lshr i64 %bits.2, 11
  %v4 = sitofp i64 %v3 to double
  %v5 = fmul double %v4, 0x3CA0000000000000
  ret double %v5
}

; size 18 4
define internal double @cogir_rng_presampled_normal(ptr align 8 dereferenceable(24) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 1
  %taken.3 = load i64, ptr %v2
  %v4 = add i64 %taken.3, 1
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 1
  store i64 %v4, ptr %v5
  %v6 = getelementptr inbounds i64, ptr %words.1, i32 2
  %v7 = load i64, ptr %v6
  %v8 = icmp slt i64 %taken.3, %v7
  %v9 = and i64 %taken.3, 255
  %place.10 = select i1 %v8, i64 %taken.3, i64 %v9
  %v11 = load i64, ptr %words.1
  %v12 = mul i64 8, %place.10
  %v13 = add i64 %v11, %v12
  %v14 = inttoptr i64 %v13 to ptr
  %v15 = load double, ptr %v14
  ret double %v15
}

; size 400 132
define internal double @cogir_rng_xoshiro256_beta(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, double noundef %a.2, double noundef %b.3) nounwind noinline {
b0:
  %v4 = fcmp ogt double %a.2, 0x0000000000000000
  %v5 = fcmp ogt double %b.3, 0x0000000000000000
  %v6 = and i1 %v4, %v5
  br i1 %v6, label %b1, label %b20
b1:
  %v7 = fcmp ole double %a.2, 0x3FF0000000000000
  %v8 = fcmp ole double %b.3, 0x3FF0000000000000
  %v9 = and i1 %v7, %v8
  br i1 %v9, label %b2, label %b18
b2:
  %v10 = fcmp olt double %a.2, 0x2AA580658CB6CCB0
  %v11 = fcmp olt double %b.3, 0x2AA580658CB6CCB0
  %v12 = and i1 %v10, %v11
  br i1 %v12, label %b3, label %b4
b3:
  %u.13 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v14 = fadd double %a.2, %b.3
  %v15 = fmul double %v14, %u.13
  %v16 = fcmp olt double %v15, %a.2
  %value.17 = select i1 %v16, double 0x3FF0000000000000, double 0x0000000000000000
  br label %b5
b4:
  br label %b5
b5:
  %v18 = phi double [ %value.17, %b3 ], [ 0x0000000000000000, %b4 ]
  %v19 = phi i1 [ false, %b3 ], [ true, %b4 ]
  br label %b6
b6:
  %waiting.20 = phi i1 [ %v19, %b5 ], [ %v54, %b16 ]
  %value.21 = phi double [ %v18, %b5 ], [ %v55, %b16 ]
  br i1 %waiting.20, label %b7, label %b17
b7:
  %u.22 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v.23 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %y.24 = fdiv double 0x3FF0000000000000, %a.2
  %x.25 = call double @cogir_pow_1(double %u.22, double %y.24)
  %y.26 = fdiv double 0x3FF0000000000000, %b.3
  %y.27 = call double @cogir_pow_1(double %v.23, double %y.26)
  %total.28 = fadd double %x.25, %y.27
  %v29 = fcmp ole double %total.28, 0x3FF0000000000000
  %v30 = fadd double %u.22, %v.23
  %v31 = fcmp ogt double %v30, 0x0000000000000000
  %v32 = and i1 %v29, %v31
  br i1 %v32, label %b8, label %b15
b8:
  %v33 = fcmp ogt double %x.25, 0x0000000000000000
  %v34 = fcmp ogt double %y.27, 0x0000000000000000
  %v35 = and i1 %v33, %v34
  br i1 %v35, label %b9, label %b10
b9:
  %value.36 = fdiv double %x.25, %total.28
  br label %b14
b10:
  %v37 = call double @cogir_log_1(double %u.22)
  %v38 = fdiv double %v37, %a.2
  %v39 = call double @cogir_log_1(double %v.23)
  %v40 = fdiv double %v39, %b.3
  %difference.41 = fsub double %v38, %v40
  %v42 = fcmp ogt double %difference.41, 0x0000000000000000
  br i1 %v42, label %b11, label %b12
b11:
  %x.43 = fneg double %difference.41
  %x.44 = call double @cogir_exp_1(double %x.43)
  %v45 = call double @cogir_log1p_1(double %x.44)
  %x.46 = fneg double %v45
  %value.47 = call double @cogir_exp_1(double %x.46)
  br label %b13
b12:
  %x.48 = call double @cogir_exp_1(double %difference.41)
  %v49 = call double @cogir_log1p_1(double %x.48)
  %x.50 = fsub double %difference.41, %v49
  %value.51 = call double @cogir_exp_1(double %x.50)
  br label %b13
b13:
  %v52 = phi double [ %value.47, %b11 ], [ %value.51, %b12 ]
  br label %b14
b14:
  %v53 = phi double [ %value.36, %b9 ], [ %v52, %b13 ]
  br label %b16
b15:
  br label %b16
b16:
  %v54 = phi i1 [ false, %b14 ], [ %waiting.20, %b15 ]
  %v55 = phi double [ %v53, %b14 ], [ %value.21, %b15 ]
  br label %b6
b17:
  br label %b19
b18:
  %x.56 = call double @cogir_xoshiro256_gamma(ptr %words.1, double %a.2)
  %y.57 = call double @cogir_xoshiro256_gamma(ptr %words.1, double %b.3)
  %v58 = fadd double %x.56, %y.57
  %value.59 = fdiv double %x.56, %v58
  br label %b19
b19:
  %v60 = phi double [ %value.21, %b17 ], [ %value.59, %b18 ]
  br label %b21
b20:
  br label %b21
b21:
  %v61 = phi double [ %v60, %b19 ], [ 0x7FF8000000000000, %b20 ]
  ret double %v61
}

; size 330 32
define internal i64 @cogir_rng_xoshiro256_binomial(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, i64 noundef %n.2, double noundef %p.3) nounwind noinline {
b0:
  %v4 = icmp sge i64 %n.2, 0
  %v5 = fcmp oge double %p.3, 0x0000000000000000
  %v6 = fcmp ole double %p.3, 0x3FF0000000000000
  %v7 = and i1 %v5, %v6
  %v8 = and i1 %v4, %v7
  br i1 %v8, label %b1, label %b47
b1:
  %v9 = fcmp ole double %p.3, 0x3FE0000000000000
  %v10 = fsub double 0x3FF0000000000000, %p.3
  %small.11 = select i1 %v9, double %p.3, double %v10
  %v12 = sitofp i64 %n.2 to double
  %v13 = fmul double %small.11, %v12
  %v14 = fcmp ole double %v13, 0x403E000000000000
  br i1 %v14, label %b2, label %b9
b2:
  %v15 = fneg double %small.11
  %v16 = call double @cogir_log1p_1(double %v15)
  %v17 = sitofp i64 %n.2 to double
  %v18 = fmul double %v17, %v16
  %none.19 = call double @cogir_exp_1(double %v18)
  %q.20 = fsub double 0x3FF0000000000000, %small.11
  %v21 = sitofp i64 %n.2 to double
  %mean.22 = fmul double %v21, %small.11
  %v23 = sitofp i64 %n.2 to double
  %v24 = fmul double %mean.22, %q.20
  %v25 = fadd double %v24, 0x3FF0000000000000
  %v26 = call double @llvm.sqrt.f64(double %v25)
  %v27 = fmul double 0x4024000000000000, %v26
  %v28 = fadd double %mean.22, %v27
  %v29 = fcmp olt double %v28, %v23
  %v30 = select i1 %v29, double %v28, double %v23
  %v31 = call double @llvm.fabs.f64(double %v30)
  %v32 = fcmp olt double %v31, 0x43E0000000000000
  %v33 = select i1 %v32, double %v30, double 0x0000000000000000
  %v34 = fptosi double %v33 to i64
  %bound.35 = select i1 %v32, i64 %v34, i64 -9223372036854775808
  %u.36 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  br label %b3
b3:
  %value.37 = phi i64 [ 0, %b2 ], [ %v53, %b7 ]
  %probability.38 = phi double [ %none.19, %b2 ], [ %v54, %b7 ]
  %u.39 = phi double [ %u.36, %b2 ], [ %v55, %b7 ]
  %v40 = fcmp ogt double %u.39, %probability.38
  br i1 %v40, label %b4, label %b8
b4:
  %value.41 = add i64 %value.37, 1
  %v42 = icmp sgt i64 %value.41, %bound.35
  br i1 %v42, label %b5, label %b6
b5:
  %u.43 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  br label %b7
b6:
  %u.44 = fsub double %u.39, %probability.38
  %v45 = sub i64 %n.2, %value.41
  %v46 = add i64 %v45, 1
  %v47 = sitofp i64 %v46 to double
  %v48 = fmul double %v47, %small.11
  %v49 = fmul double %v48, %probability.38
  %v50 = sitofp i64 %value.41 to double
  %v51 = fmul double %v50, %q.20
  %probability.52 = fdiv double %v49, %v51
  br label %b7
b7:
  %v53 = phi i64 [ 0, %b5 ], [ %value.41, %b6 ]
  %v54 = phi double [ %none.19, %b5 ], [ %probability.52, %b6 ]
  %v55 = phi double [ %u.43, %b5 ], [ %u.44, %b6 ]
  br label %b3
b8:
  br label %b43
b9:
  %v56 = fsub double 0x3FF0000000000000, %small.11
  %v57 = fcmp olt double %v56, %small.11
  %r.58 = select i1 %v57, double %v56, double %small.11
  %q.59 = fsub double 0x3FF0000000000000, %r.58
  %v60 = sitofp i64 %n.2 to double
  %v61 = fmul double %v60, %r.58
  %fm.62 = fadd double %v61, %r.58
  %v63 = call double @llvm.floor.f64(double %fm.62)
  %v64 = call double @llvm.fabs.f64(double %v63)
  %v65 = fcmp olt double %v64, 0x43E0000000000000
  %v66 = select i1 %v65, double %v63, double 0x0000000000000000
  %v67 = fptosi double %v66 to i64
  %m.68 = select i1 %v65, i64 %v67, i64 -9223372036854775808
  %v69 = sitofp i64 %n.2 to double
  %v70 = fmul double %v69, %r.58
  %v71 = fmul double %v70, %q.59
  %v72 = call double @llvm.sqrt.f64(double %v71)
  %v73 = fmul double 0x40018F5C28F5C28F, %v72
  %v74 = fmul double 0x4012666666666666, %q.59
  %v75 = fsub double %v73, %v74
  %v76 = call double @llvm.floor.f64(double %v75)
  %p1.77 = fadd double %v76, 0x3FE0000000000000
  %v78 = sitofp i64 %m.68 to double
  %xm.79 = fadd double %v78, 0x3FE0000000000000
  %xl.80 = fsub double %xm.79, %p1.77
  %xr.81 = fadd double %xm.79, %p1.77
  %v82 = sitofp i64 %m.68 to double
  %v83 = fadd double 0x402E99999999999A, %v82
  %v84 = fdiv double 0x4034800000000000, %v83
  %c.85 = fadd double 0x3FC126E978D4FDF4, %v84
  %v86 = fsub double %fm.62, %xl.80
  %v87 = fmul double %xl.80, %r.58
  %v88 = fsub double %fm.62, %v87
  %a.89 = fdiv double %v86, %v88
  %v90 = fdiv double %a.89, 0x4000000000000000
  %v91 = fadd double 0x3FF0000000000000, %v90
  %left.92 = fmul double %a.89, %v91
  %v93 = fsub double %xr.81, %fm.62
  %v94 = fmul double %xr.81, %q.59
  %a.95 = fdiv double %v93, %v94
  %v96 = fdiv double %a.95, 0x4000000000000000
  %v97 = fadd double 0x3FF0000000000000, %v96
  %right.98 = fmul double %a.95, %v97
  %v99 = fmul double 0x4000000000000000, %c.85
  %v100 = fadd double 0x3FF0000000000000, %v99
  %p2.101 = fmul double %p1.77, %v100
  %v102 = fdiv double %c.85, %left.92
  %p3.103 = fadd double %p2.101, %v102
  %v104 = fdiv double %c.85, %right.98
  %p4.105 = fadd double %p3.103, %v104
  br label %b10
b10:
  %y.106 = phi i64 [ 0, %b9 ], [ %v285, %b41 ]
  %waiting.107 = phi i1 [ true, %b9 ], [ %v286, %b41 ]
  br i1 %waiting.107, label %b11, label %b42
b11:
  %u.108 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v.109 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %u.110 = fmul double %u.108, %p4.105
  %v111 = fcmp ole double %u.110, %p1.77
  br i1 %v111, label %b12, label %b13
b12:
  %v112 = fmul double %p1.77, %v.109
  %v113 = fsub double %xm.79, %v112
  %v114 = fadd double %v113, %u.110
  %v115 = call double @llvm.floor.f64(double %v114)
  %v116 = call double @llvm.fabs.f64(double %v115)
  %v117 = fcmp olt double %v116, 0x43E0000000000000
  %v118 = select i1 %v117, double %v115, double 0x0000000000000000
  %v119 = fptosi double %v118 to i64
  %y.120 = select i1 %v117, i64 %v119, i64 -9223372036854775808
  br label %b41
b13:
  %v121 = fcmp ole double %u.110, %p2.101
  br i1 %v121, label %b14, label %b15
b14:
  %v122 = fsub double %u.110, %p1.77
  %v123 = fdiv double %v122, %c.85
  %x.124 = fadd double %xl.80, %v123
  %v125 = fmul double %v.109, %c.85
  %v126 = fadd double %v125, 0x3FF0000000000000
  %v127 = sitofp i64 %m.68 to double
  %v128 = fsub double %v127, %x.124
  %v129 = fadd double %v128, 0x3FE0000000000000
  %v130 = call double @llvm.fabs.f64(double %v129)
  %v131 = fdiv double %v130, %p1.77
  %v.132 = fsub double %v126, %v131
  %v133 = call double @llvm.floor.f64(double %x.124)
  %v134 = call double @llvm.fabs.f64(double %v133)
  %v135 = fcmp olt double %v134, 0x43E0000000000000
  %v136 = select i1 %v135, double %v133, double 0x0000000000000000
  %v137 = fptosi double %v136 to i64
  %y.138 = select i1 %v135, i64 %v137, i64 -9223372036854775808
  %compared.139 = fcmp ole double %v.132, 0x3FF0000000000000
  br label %b22
b15:
  %v140 = fcmp ogt double %v.109, 0x0000000000000000
  br i1 %v140, label %b16, label %b20
b16:
  %v141 = fcmp ole double %u.110, %p3.103
  br i1 %v141, label %b17, label %b18
b17:
  %v142 = call double @cogir_log_1(double %v.109)
  %v143 = fdiv double %v142, %left.92
  %v144 = fadd double %xl.80, %v143
  %v145 = call double @llvm.floor.f64(double %v144)
  %v146 = call double @llvm.fabs.f64(double %v145)
  %v147 = fcmp olt double %v146, 0x43E0000000000000
  %v148 = select i1 %v147, double %v145, double 0x0000000000000000
  %v149 = fptosi double %v148 to i64
  %y.150 = select i1 %v147, i64 %v149, i64 -9223372036854775808
  %compared.151 = icmp sge i64 %y.150, 0
  %v152 = fsub double %u.110, %p2.101
  %v153 = fmul double %v.109, %v152
  %v.154 = fmul double %v153, %left.92
  br label %b19
b18:
  %v155 = call double @cogir_log_1(double %v.109)
  %v156 = fdiv double %v155, %right.98
  %v157 = fsub double %xr.81, %v156
  %v158 = call double @llvm.floor.f64(double %v157)
  %v159 = call double @llvm.fabs.f64(double %v158)
  %v160 = fcmp olt double %v159, 0x43E0000000000000
  %v161 = select i1 %v160, double %v158, double 0x0000000000000000
  %v162 = fptosi double %v161 to i64
  %y.163 = select i1 %v160, i64 %v162, i64 -9223372036854775808
  %compared.164 = icmp sle i64 %y.163, %n.2
  %v165 = fsub double %u.110, %p3.103
  %v166 = fmul double %v.109, %v165
  %v.167 = fmul double %v166, %right.98
  br label %b19
b19:
  %v168 = phi i64 [ %y.150, %b17 ], [ %y.163, %b18 ]
  %v169 = phi double [ %v.154, %b17 ], [ %v.167, %b18 ]
  %v170 = phi i1 [ %compared.151, %b17 ], [ %compared.164, %b18 ]
  br label %b21
b20:
  br label %b21
b21:
  %v171 = phi i64 [ %v168, %b19 ], [ %y.106, %b20 ]
  %v172 = phi double [ %v169, %b19 ], [ %v.109, %b20 ]
  %v173 = phi i1 [ %v170, %b19 ], [ false, %b20 ]
  br label %b22
b22:
  %y.174 = phi i64 [ %y.138, %b14 ], [ %v171, %b21 ]
  %v.175 = phi double [ %v.132, %b14 ], [ %v172, %b21 ]
  %v176 = phi i1 [ %compared.139, %b14 ], [ %v173, %b21 ]
  br i1 %v176, label %b23, label %b39
b23:
  %v177 = sitofp i64 %n.2 to double
  %v178 = fmul double %v177, %r.58
  %spread.179 = fmul double %v178, %q.59
  %v180 = sub i64 %y.174, %m.68
  %v181 = icmp slt i64 %v180, 0
  %v182 = sub i64 0, %v180
  %k.183 = select i1 %v181, i64 %v182, i64 %v180
  %v184 = icmp sgt i64 %k.183, 20
  %v185 = fdiv double %spread.179, 0x4000000000000000
  %v186 = fsub double %v185, 0x3FF0000000000000
  %v187 = call i64 @cogir_order_of(i64 %k.183, double %v186)
  %v188 = icmp slt i64 %v187, 0
  %v189 = and i1 %v184, %v188
  br i1 %v189, label %b24, label %b31
b24:
  %v190 = sitofp i64 %k.183 to double
  %v191 = fdiv double %v190, %spread.179
  %v192 = sitofp i64 %k.183 to double
  %v193 = fdiv double %v192, 0x4008000000000000
  %v194 = fadd double %v193, 0x3FE4000000000000
  %v195 = sitofp i64 %k.183 to double
  %v196 = fmul double %v195, %v194
  %v197 = fadd double %v196, 0x3FC5555555555555
  %v198 = fdiv double %v197, %spread.179
  %v199 = fadd double %v198, 0x3FE0000000000000
  %rho.200 = fmul double %v191, %v199
  %v201 = sub i64 0, %k.183
  %v202 = mul i64 %v201, %k.183
  %v203 = fmul double 0x4000000000000000, %spread.179
  %v204 = sitofp i64 %v202 to double
  %t.205 = fdiv double %v204, %v203
  %height.206 = call double @cogir_log_1(double %v.175)
  %v207 = fsub double %t.205, %rho.200
  %v208 = fcmp olt double %height.206, %v207
  br i1 %v208, label %b25, label %b26
b25:
  br label %b30
b26:
  %v209 = fadd double %t.205, %rho.200
  %v210 = fcmp ole double %height.206, %v209
  br i1 %v210, label %b27, label %b28
b27:
  %v211 = sitofp i64 %y.174 to double
  %x1.212 = fadd double %v211, 0x3FF0000000000000
  %v213 = sitofp i64 %m.68 to double
  %f1.214 = fadd double %v213, 0x3FF0000000000000
  %v215 = sitofp i64 %n.2 to double
  %v216 = fadd double %v215, 0x3FF0000000000000
  %v217 = sitofp i64 %m.68 to double
  %z.218 = fsub double %v216, %v217
  %v219 = sub i64 %n.2, %y.174
  %v220 = sitofp i64 %v219 to double
  %w.221 = fadd double %v220, 0x3FF0000000000000
  %x.222 = fdiv double %f1.214, %x1.212
  %v223 = call double @cogir_log_1(double %x.222)
  %v224 = fmul double %xm.79, %v223
  %v225 = sub i64 %n.2, %m.68
  %v226 = sitofp i64 %v225 to double
  %v227 = fadd double %v226, 0x3FE0000000000000
  %x.228 = fdiv double %z.218, %w.221
  %v229 = call double @cogir_log_1(double %x.228)
  %v230 = fmul double %v227, %v229
  %v231 = fadd double %v224, %v230
  %v232 = sub i64 %y.174, %m.68
  %v233 = fmul double %w.221, %r.58
  %v234 = fmul double %x1.212, %q.59
  %x.235 = fdiv double %v233, %v234
  %v236 = call double @cogir_log_1(double %x.235)
  %v237 = sitofp i64 %v232 to double
  %v238 = fmul double %v237, %v236
  %v239 = fadd double %v231, %v238
  %v240 = fmul double %f1.214, %f1.214
  %v241 = call double @cogir_stirling_rest(double %f1.214, double %v240)
  %v242 = fadd double %v239, %v241
  %v243 = fmul double %z.218, %z.218
  %v244 = call double @cogir_stirling_rest(double %z.218, double %v243)
  %v245 = fadd double %v242, %v244
  %v246 = fmul double %x1.212, %x1.212
  %v247 = call double @cogir_stirling_rest(double %x1.212, double %v246)
  %v248 = fadd double %v245, %v247
  %v249 = fmul double %w.221, %w.221
  %v250 = call double @cogir_stirling_rest(double %w.221, double %v249)
  %limit.251 = fadd double %v248, %v250
  %v252 = fcmp ogt double %height.206, %limit.251
  %accepted.253 = xor i1 %v252, true
  br label %b29
b28:
  br label %b29
b29:
  %v254 = phi i1 [ %accepted.253, %b27 ], [ false, %b28 ]
  br label %b30
b30:
  %v255 = phi i1 [ true, %b25 ], [ %v254, %b29 ]
  br label %b38
b31:
  %s.256 = fdiv double %r.58, %q.59
  %v257 = add i64 %n.2, 1
  %v258 = sitofp i64 %v257 to double
  %a.259 = fmul double %s.256, %v258
  %v260 = add i64 %m.68, 1
  %v261 = add i64 %y.174, 1
  br label %b32
b32:
  %i.262 = phi i64 [ %v260, %b31 ], [ %v269, %b33 ]
  %factor.263 = phi double [ 0x3FF0000000000000, %b31 ], [ %factor.268, %b33 ]
  %v264 = icmp slt i64 %i.262, %v261
  br i1 %v264, label %b33, label %b34
b33:
  %v265 = sitofp i64 %i.262 to double
  %v266 = fdiv double %a.259, %v265
  %v267 = fsub double %v266, %s.256
  %factor.268 = fmul double %factor.263, %v267
  %v269 = add i64 %i.262, 1
  br label %b32
b34:
  %v270 = add i64 %y.174, 1
  %v271 = add i64 %m.68, 1
  br label %b35
b35:
  %i.272 = phi i64 [ %v270, %b34 ], [ %v279, %b36 ]
  %factor.273 = phi double [ %factor.263, %b34 ], [ %factor.278, %b36 ]
  %v274 = icmp slt i64 %i.272, %v271
  br i1 %v274, label %b36, label %b37
b36:
  %v275 = sitofp i64 %i.272 to double
  %v276 = fdiv double %a.259, %v275
  %v277 = fsub double %v276, %s.256
  %factor.278 = fdiv double %factor.273, %v277
  %v279 = add i64 %i.272, 1
  br label %b35
b37:
  %v280 = fcmp ogt double %v.175, %factor.273
  %accepted.281 = xor i1 %v280, true
  br label %b38
b38:
  %v282 = phi i1 [ %v255, %b30 ], [ %accepted.281, %b37 ]
  %waiting.283 = xor i1 %v282, true
  br label %b40
b39:
  br label %b40
b40:
  %v284 = phi i1 [ %waiting.283, %b38 ], [ %waiting.107, %b39 ]
  br label %b41
b41:
  %v285 = phi i64 [ %y.120, %b12 ], [ %y.174, %b40 ]
  %v286 = phi i1 [ false, %b12 ], [ %v284, %b40 ]
  br label %b10
b42:
  br label %b43
b43:
  %v287 = phi i64 [ %value.37, %b8 ], [ %y.106, %b42 ]
  %v288 = fcmp ogt double %p.3, 0x3FE0000000000000
  br i1 %v288, label %b44, label %b45
b44:
  %value.289 = sub i64 %n.2, %v287
  br label %b46
b45:
  br label %b46
b46:
  %v290 = phi i64 [ %value.289, %b44 ], [ %v287, %b45 ]
  br label %b48
b47:
  br label %b48
b48:
  %v291 = phi i64 [ %v290, %b46 ], [ -1, %b47 ]
  ret i64 %v291
}

; size 27 8
define internal double @cogir_rng_xoshiro256_exponential(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1) nounwind noinline {
b0:
  %u.2 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v3 = fsub double 0x3FF0000000000000, %u.2
  %v4 = call double @cogir_log_1(double %v3)
  %v5 = fneg double %v4
  ret double %v5
}

; size 140 54
define internal double @cogir_rng_xoshiro256_gamma(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, double noundef %shape.2) nounwind noinline {
b0:
  %v3 = fcmp oeq double %shape.2, 0x3FF0000000000000
  br i1 %v3, label %b1, label %b2
b1:
  %value.4 = call double @cogir_xoshiro256_exponential(ptr %words.1)
  br label %b30
b2:
  %v5 = fcmp oeq double %shape.2, 0x0000000000000000
  br i1 %v5, label %b3, label %b4
b3:
  br label %b29
b4:
  %v6 = fcmp ogt double %shape.2, 0x0000000000000000
  %v7 = fcmp olt double %shape.2, 0x3FF0000000000000
  %v8 = and i1 %v6, %v7
  br i1 %v8, label %b5, label %b12
b5:
  br label %b6
b6:
  %value.9 = phi double [ 0x7FF8000000000000, %b5 ], [ %v31, %b10 ]
  %waiting.10 = phi i1 [ true, %b5 ], [ %v32, %b10 ]
  br i1 %waiting.10, label %b7, label %b11
b7:
  %u.11 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v.12 = call double @cogir_xoshiro256_exponential(ptr %words.1)
  %v13 = fsub double 0x3FF0000000000000, %shape.2
  %v14 = fcmp ole double %u.11, %v13
  br i1 %v14, label %b8, label %b9
b8:
  %y.15 = fdiv double 0x3FF0000000000000, %shape.2
  %value.16 = call double @cogir_pow_1(double %u.11, double %y.15)
  %v17 = fcmp ole double %value.16, %v.12
  %waiting.18 = xor i1 %v17, true
  br label %b10
b9:
  %v19 = fsub double 0x3FF0000000000000, %u.11
  %x.20 = fdiv double %v19, %shape.2
  %v21 = call double @cogir_log_1(double %x.20)
  %y.22 = fneg double %v21
  %v23 = fsub double 0x3FF0000000000000, %shape.2
  %v24 = fmul double %shape.2, %y.22
  %x.25 = fadd double %v23, %v24
  %y.26 = fdiv double 0x3FF0000000000000, %shape.2
  %value.27 = call double @cogir_pow_1(double %x.25, double %y.26)
  %v28 = fadd double %v.12, %y.22
  %v29 = fcmp ole double %value.27, %v28
  %waiting.30 = xor i1 %v29, true
  br label %b10
b10:
  %v31 = phi double [ %value.16, %b8 ], [ %value.27, %b9 ]
  %v32 = phi i1 [ %waiting.18, %b8 ], [ %waiting.30, %b9 ]
  br label %b6
b11:
  br label %b28
b12:
  %v33 = fcmp ogt double %shape.2, 0x3FF0000000000000
  br i1 %v33, label %b13, label %b26
b13:
  %b.34 = fsub double %shape.2, 0x3FD5555555555555
  %v35 = fmul double 0x4022000000000000, %b.34
  %v36 = call double @llvm.sqrt.f64(double %v35)
  %c.37 = fdiv double 0x3FF0000000000000, %v36
  br label %b14
b14:
  %value.38 = phi double [ 0x7FF8000000000000, %b13 ], [ %value.49, %b24 ]
  %waiting.39 = phi i1 [ true, %b13 ], [ %v66, %b24 ]
  br i1 %waiting.39, label %b15, label %b25
b15:
  br label %b16
b16:
  %x.40 = phi double [ 0x0000000000000000, %b15 ], [ %x.43, %b17 ]
  %v.41 = phi double [ 0x0000000000000000, %b15 ], [ %v.45, %b17 ]
  %v42 = fcmp ole double %v.41, 0x0000000000000000
  br i1 %v42, label %b17, label %b18
b17:
  %x.43 = call double @cogir_xoshiro256_normal(ptr %words.1)
  %v44 = fmul double %c.37, %x.43
  %v.45 = fadd double 0x3FF0000000000000, %v44
  br label %b16
b18:
  %v46 = fmul double %v.41, %v.41
  %v.47 = fmul double %v46, %v.41
  %u.48 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %value.49 = fmul double %b.34, %v.47
  %v50 = fmul double %x.40, %x.40
  %v51 = fmul double 0x3FA0F27BB2FEC56D, %v50
  %v52 = fmul double %x.40, %x.40
  %v53 = fmul double %v51, %v52
  %v54 = fsub double 0x3FF0000000000000, %v53
  %v55 = fcmp olt double %u.48, %v54
  br i1 %v55, label %b19, label %b20
b19:
  br label %b21
b20:
  %v56 = call double @cogir_log_1(double %u.48)
  %v57 = fmul double 0x3FE0000000000000, %x.40
  %v58 = fmul double %v57, %x.40
  %v59 = fsub double 0x3FF0000000000000, %v.47
  %v60 = call double @cogir_log_1(double %v.47)
  %v61 = fadd double %v59, %v60
  %v62 = fmul double %b.34, %v61
  %v63 = fadd double %v58, %v62
  %v64 = fcmp olt double %v56, %v63
  br label %b21
b21:
  %v65 = phi i1 [ %v55, %b19 ], [ %v64, %b20 ]
  br i1 %v65, label %b22, label %b23
b22:
  br label %b24
b23:
  br label %b24
b24:
  %v66 = phi i1 [ false, %b22 ], [ %waiting.39, %b23 ]
  br label %b14
b25:
  br label %b27
b26:
  br label %b27
b27:
  %v67 = phi double [ %value.38, %b25 ], [ 0x7FF8000000000000, %b26 ]
  br label %b28
b28:
  %v68 = phi double [ %value.9, %b11 ], [ %v67, %b27 ]
  br label %b29
b29:
  %v69 = phi double [ 0x0000000000000000, %b3 ], [ %v68, %b28 ]
  br label %b30
b30:
  %v70 = phi double [ %value.4, %b1 ], [ %v69, %b29 ]
  ret double %v70
}

; size 54 16
define internal i64 @cogir_rng_xoshiro256_geometric(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, double noundef %p.2) nounwind noinline {
b0:
  %v3 = fcmp oge double %p.2, 0x3FD5555555555555
  %v4 = fcmp ole double %p.2, 0x3FF0000000000000
  %v5 = and i1 %v3, %v4
  br i1 %v5, label %b1, label %b5
b1:
  %q.6 = fsub double 0x3FF0000000000000, %p.2
  %u.7 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  br label %b2
b2:
  %product.8 = phi double [ %p.2, %b1 ], [ %product.14, %b3 ]
  %total.9 = phi double [ %p.2, %b1 ], [ %total.15, %b3 ]
  %value.10 = phi i64 [ 1, %b1 ], [ %value.16, %b3 ]
  %v11 = fcmp ogt double %u.7, %total.9
  %v12 = fcmp ogt double %product.8, 0x0000000000000000
  %v13 = and i1 %v11, %v12
  br i1 %v13, label %b3, label %b4
b3:
  %product.14 = fmul double %product.8, %q.6
  %total.15 = fadd double %total.9, %product.14
  %value.16 = add i64 %value.10, 1
  br label %b2
b4:
  br label %b12
b5:
  %v17 = fcmp ogt double %p.2, 0x0000000000000000
  %v18 = fcmp olt double %p.2, 0x3FD5555555555555
  %v19 = and i1 %v17, %v18
  br i1 %v19, label %b6, label %b10
b6:
  %u.20 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v21 = fsub double 0x3FF0000000000000, %u.20
  %v22 = call double @cogir_log_1(double %v21)
  %v23 = fneg double %p.2
  %v24 = call double @cogir_log1p_1(double %v23)
  %v25 = fdiv double %v22, %v24
  %trials.26 = call double @llvm.ceil.f64(double %v25)
  %v27 = fcmp olt double %trials.26, 0x43E0000000000000
  br i1 %v27, label %b7, label %b8
b7:
  %v28 = fcmp olt double %trials.26, 0x3FF0000000000000
  %v29 = call double @llvm.fabs.f64(double %trials.26)
  %v30 = fcmp olt double %v29, 0x43E0000000000000
  %v31 = select i1 %v30, double %trials.26, double 0x0000000000000000
  %v32 = fptosi double %v31 to i64
  %v33 = select i1 %v30, i64 %v32, i64 -9223372036854775808
  %value.34 = select i1 %v28, i64 1, i64 %v33
  br label %b9
b8:
  br label %b9
b9:
  %v35 = phi i64 [ %value.34, %b7 ], [ 9223372036854775807, %b8 ]
  br label %b11
b10:
  br label %b11
b11:
  %v36 = phi i64 [ %v35, %b9 ], [ -1, %b10 ]
  br label %b12
b12:
  %v37 = phi i64 [ %value.10, %b4 ], [ %v36, %b11 ]
  ret i64 %v37
}

; size 28 16
define internal i64 @cogir_rng_xoshiro256_integer(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, i64 noundef %below.2) nounwind noinline {
b0:
  %v3 = icmp slt i64 %below.2, 1
  %below.4 = select i1 %v3, i64 1, i64 %below.2
  %v5 = sub i64 0, %below.4
  %threshold.6 = urem i64 %v5, %below.4
  %bits.7 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  br label %b1
b1:
  %bits.8 = phi i64 [ %bits.7, %b0 ], [ %bits.11, %b2 ]
  %v9 = mul i64 %bits.8, %below.4
  %v10 = icmp ult i64 %v9, %threshold.6
  br i1 %v10, label %b2, label %b3
b2:
  %bits.11 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  br label %b1
b3:
  %v12 = zext i64 %bits.8 to i128
  %v13 = zext i64 %below.4 to i128
  %v14 = mul i128 %v12, %v13
  %v15 = zext i64 64 to i128
  %v16 = lshr i128 %v14, %v15
  %v17 = trunc i128 %v14 to i64
  %v18 = trunc i128 %v16 to i64
  ret i64 %v18
}

; size 112 5
define internal void @cogir_rng_xoshiro256_keyed(i64 noundef %seed.1, i64 noundef %generator.2, i64 noundef %replicate.3, ptr align 8 dereferenceable(48) nonnull noalias noundef %v4) nounwind alwaysinline {
b0:
  call void @cogir_xoshiro256_keyed4(i64 %seed.1, i64 %generator.2, i64 %replicate.3, ptr %v4)
  ret void
}

; size 112 5
define internal void @cogir_rng_xoshiro256_keyed4(i64 noundef %seed.1, i64 noundef %generator.2, i64 noundef %point.3, i64 noundef %replicate.4, ptr align 8 dereferenceable(48) nonnull noalias noundef %v5) nounwind alwaysinline {
b0:
  %v6 = add i64 %seed.1, 2611923443488327891
  %v7 = call i64 @cogir_mix64(i64 %v6)
  %generator.8 = xor i64 %generator.2, %v7
  %v9 = add i64 %generator.8, 1376283091369227076
  %v10 = call i64 @cogir_mix64(i64 %v9)
  %point.11 = xor i64 %point.3, %v10
  %v12 = add i64 %point.11, -6626703657320631856
  %v13 = call i64 @cogir_mix64(i64 %v12)
  %replicate.14 = xor i64 %replicate.4, %v13
  %v15 = add i64 %replicate.14, 589684135938649225
  %v16 = call i64 @cogir_mix64(i64 %v15)
  %seed.17 = xor i64 %seed.1, %v16
  %v18 = add i64 %seed.17, 4983270260364809079
  %v19 = call i64 @cogir_mix64(i64 %v18)
  %generator.20 = xor i64 %generator.8, %v19
  %v21 = add i64 %generator.20, -4732044268327596948
  %v22 = call i64 @cogir_mix64(i64 %v21)
  %point.23 = xor i64 %point.11, %v22
  %v24 = add i64 %point.23, -4563226453097033507
  %v25 = call i64 @cogir_mix64(i64 %v24)
  %replicate.26 = xor i64 %replicate.14, %v25
  %v27 = add i64 %replicate.26, 4577018097722394903
  %v28 = call i64 @cogir_mix64(i64 %v27)
  %seed.29 = xor i64 %seed.17, %v28
  br label %b1
b1:
  %v30 = phi i64 [ 0, %b0 ], [ %v33, %b2 ]
  %v31 = icmp slt i64 %v30, 6
  br i1 %v31, label %b2, label %b3
b2:
  %v32 = getelementptr inbounds i64, ptr %v5, i64 %v30
  store i64 0, ptr %v32
  %v33 = add i64 %v30, 1
  br label %b1
b3:
  store i64 %seed.29, ptr %v5
  %v34 = getelementptr inbounds i64, ptr %v5, i32 1
  store i64 %generator.20, ptr %v34
  %v35 = getelementptr inbounds i64, ptr %v5, i32 2
  store i64 %point.23, ptr %v35
  %v36 = getelementptr inbounds i64, ptr %v5, i32 3
  store i64 %replicate.26, ptr %v36
  ret void
}

; size 40 22
define internal double @cogir_rng_xoshiro256_lognormal(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, double noundef %mean.2, double noundef %sigma.3) nounwind noinline {
b0:
  %v4 = fcmp oge double %sigma.3, 0x0000000000000000
  br i1 %v4, label %b1, label %b2
b1:
  %x.5 = call double @cogir_xoshiro256_normal(ptr %words.1)
  %v6 = fmul double %sigma.3, %x.5
  %v7 = fadd double %mean.2, %v6
  %value.8 = call double @cogir_exp_1(double %v7)
  br label %b3
b2:
  br label %b3
b3:
  %v9 = phi double [ %value.8, %b1 ], [ 0x7FF8000000000000, %b2 ]
  ret double %v9
}

; size 40 22
define internal double @cogir_rng_xoshiro256_normal(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 4
  %v3 = load i64, ptr %v2
  %v4 = icmp ne i64 %v3, 0
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 5
  %v6 = load i64, ptr %v5
  %kept.7 = bitcast i64 %v6 to double
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 4
  store i64 0, ptr %v8
  %v9 = getelementptr inbounds i64, ptr %words.1, i32 5
  store i64 0, ptr %v9
  br label %b3
b2:
  %first.10 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  %second.11 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  %v12 = lshr i64 %first.10, 11
  %v13 = add i64 %v12, 1
  %v14 = sitofp i64 %v13 to double
  %v15 = fmul double %v14, 0x3CA0000000000000
  %v16 = call double @cogir_log_of_uniform(double %v15)
  %v17 = fmul double 0xC000000000000000, %v16
  %radius.18 = call double @llvm.sqrt.f64(double %v17)
  %v19 = lshr i64 %second.11, 11
  %v20 = sitofp i64 %v19 to double
  %v21 = fmul double %v20, 0x3CA0000000000000
  %v22 = call { double, double } @cogir_cos_sin_of_turns(double %v21)
  %cosine.23 = extractvalue { double, double } %v22, 0
  %sine.24 = extractvalue { double, double } %v22, 1
  %v25 = getelementptr inbounds i64, ptr %words.1, i32 4
  store i64 1, ptr %v25
  %v26 = fmul double %radius.18, %sine.24
  %v27 = bitcast double %v26 to i64
  %v28 = getelementptr inbounds i64, ptr %words.1, i32 5
  store i64 %v27, ptr %v28
  %v29 = fmul double %radius.18, %cosine.23
  br label %b3
b3:
  %v30 = phi double [ %kept.7, %b1 ], [ %v29, %b2 ]
  ret double %v30
}

; size 162 25
define internal i64 @cogir_rng_xoshiro256_poisson(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, double noundef %mean.2) nounwind noinline {
b0:
  %v3 = fcmp oge double %mean.2, 0x4024000000000000
  %v4 = fcmp ole double %mean.2, 0x43DFFFFFFE3B73A0
  %v5 = and i1 %v3, %v4
  br i1 %v5, label %b1, label %b23
b1:
  %root.6 = call double @llvm.sqrt.f64(double %mean.2)
  %log_mean.7 = call double @cogir_log_1(double %mean.2)
  %v8 = fmul double 0x40043D70A3D70A3D, %root.6
  %b.9 = fadd double 0x3FEDCAC083126E98, %v8
  %v10 = fmul double 0x3F996D0917D6B65B, %b.9
  %a.11 = fadd double 0xBFAE353F7CED9168, %v10
  %v12 = fsub double %b.9, 0x400B333333333333
  %v13 = fdiv double 0x3FF21FF2E48E8A72, %v12
  %inverse_alpha.14 = fadd double 0x3FF1FB7E90FF9724, %v13
  %v15 = fsub double %b.9, 0x4000000000000000
  %v16 = fdiv double 0x400CFAACD9E83E42, %v15
  %bound.17 = fsub double 0x3FEDAFB7E90FF972, %v16
  br label %b2
b2:
  %value.18 = phi i64 [ -1, %b1 ], [ %v106, %b21 ]
  %waiting.19 = phi i1 [ true, %b1 ], [ %v107, %b21 ]
  br i1 %waiting.19, label %b3, label %b22
b3:
  %u.20 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v.21 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %u.22 = fsub double %u.20, 0x3FE0000000000000
  %v23 = call double @llvm.fabs.f64(double %u.22)
  %distance.24 = fsub double 0x3FE0000000000000, %v23
  %v25 = fcmp ogt double %distance.24, 0x0000000000000000
  br i1 %v25, label %b4, label %b20
b4:
  %v26 = fmul double 0x4000000000000000, %a.11
  %v27 = fdiv double %v26, %distance.24
  %v28 = fadd double %v27, %b.9
  %v29 = fmul double %v28, %u.22
  %v30 = fadd double %v29, %mean.2
  %v31 = fadd double %v30, 0x3FDB851EB851EB85
  %v32 = call double @llvm.floor.f64(double %v31)
  %v33 = call double @llvm.fabs.f64(double %v32)
  %v34 = fcmp olt double %v33, 0x43E0000000000000
  %v35 = select i1 %v34, double %v32, double 0x0000000000000000
  %v36 = fptosi double %v35 to i64
  %value.37 = select i1 %v34, i64 %v36, i64 -9223372036854775808
  %v38 = fcmp oge double %distance.24, 0x3FB1EB851EB851EC
  %v39 = fcmp ole double %v.21, %bound.17
  %v40 = and i1 %v38, %v39
  br i1 %v40, label %b5, label %b6
b5:
  br label %b19
b6:
  %v41 = icmp sge i64 %value.37, 0
  %v42 = fcmp olt double %distance.24, 0x3F8A9FBE76C8B439
  %v43 = fcmp ogt double %v.21, %distance.24
  %v44 = and i1 %v42, %v43
  %v45 = xor i1 %v44, true
  %v46 = and i1 %v41, %v45
  br i1 %v46, label %b7, label %b17
b7:
  %v47 = call double @cogir_log_1(double %v.21)
  %v48 = call double @cogir_log_1(double %inverse_alpha.14)
  %v49 = fadd double %v47, %v48
  %v50 = fmul double %distance.24, %distance.24
  %v51 = fdiv double %a.11, %v50
  %x.52 = fadd double %v51, %b.9
  %v53 = call double @cogir_log_1(double %x.52)
  %height.54 = fsub double %v49, %v53
  %v55 = fneg double %mean.2
  %v56 = sitofp i64 %value.37 to double
  %v57 = fmul double %v56, %log_mean.7
  %v58 = fadd double %v55, %v57
  %v59 = sitofp i64 %value.37 to double
  %x.60 = fadd double %v59, 0x3FF0000000000000
  %v61 = fcmp une double %x.60, 0x3FF0000000000000
  %v62 = fcmp une double %x.60, 0x4000000000000000
  %v63 = and i1 %v61, %v62
  br i1 %v63, label %b8, label %b15
b8:
  %v64 = fcmp ole double %x.60, 0x401C000000000000
  %v65 = fsub double 0x401C000000000000, %x.60
  %v66 = call double @llvm.fabs.f64(double %v65)
  %v67 = fcmp olt double %v66, 0x43E0000000000000
  %v68 = select i1 %v67, double %v65, double 0x0000000000000000
  %v69 = fptosi double %v68 to i64
  %v70 = select i1 %v67, i64 %v69, i64 -9223372036854775808
  %more.71 = select i1 %v64, i64 %v70, i64 0
  %v72 = sitofp i64 %more.71 to double
  %shifted.73 = fadd double %x.60, %v72
  %v74 = fmul double %shifted.73, %shifted.73
  %inverse.75 = fdiv double 0x3FF0000000000000, %v74
  br label %b9
b9:
  %i.76 = phi i64 [ 0, %b8 ], [ %v83, %b10 ]
  %series.77 = phi double [ 0x0000000000000000, %b8 ], [ %series.82, %b10 ]
  %v78 = icmp slt i64 %i.76, 10
  br i1 %v78, label %b10, label %b11
b10:
  %v79 = fmul double %series.77, %inverse.75
  %v80 = getelementptr inbounds double, ptr @cogir_rng_xoshiro256_poisson_constant_0, i64 %i.76
  %v81 = load double, ptr %v80
  %series.82 = fadd double %v79, %v81
  %v83 = add i64 %i.76, 1
  br label %b9
b11:
  %v84 = fdiv double %series.77, %shifted.73
  %v85 = fadd double %v84, 0x3FED67F1C864BEB4
  %v86 = fsub double %shifted.73, 0x3FE0000000000000
  %v87 = call double @cogir_log_1(double %shifted.73)
  %v88 = fmul double %v86, %v87
  %v89 = fadd double %v85, %v88
  %result.90 = fsub double %v89, %shifted.73
  br label %b12
b12:
  %i.91 = phi i64 [ 0, %b11 ], [ %v99, %b13 ]
  %result.92 = phi double [ %result.90, %b11 ], [ %result.97, %b13 ]
  %shifted.93 = phi double [ %shifted.73, %b11 ], [ %shifted.98, %b13 ]
  %v94 = icmp slt i64 %i.91, %more.71
  br i1 %v94, label %b13, label %b14
b13:
  %x.95 = fsub double %shifted.93, 0x3FF0000000000000
  %v96 = call double @cogir_log_1(double %x.95)
  %result.97 = fsub double %result.92, %v96
  %shifted.98 = fsub double %shifted.93, 0x3FF0000000000000
  %v99 = add i64 %i.91, 1
  br label %b12
b14:
  br label %b16
b15:
  br label %b16
b16:
  %v100 = phi double [ %result.92, %b14 ], [ 0x0000000000000000, %b15 ]
  %v101 = fsub double %v58, %v100
  %v102 = fcmp ole double %height.54, %v101
  %waiting.103 = xor i1 %v102, true
  br label %b18
b17:
  br label %b18
b18:
  %v104 = phi i1 [ %waiting.103, %b16 ], [ %waiting.19, %b17 ]
  br label %b19
b19:
  %v105 = phi i1 [ false, %b5 ], [ %v104, %b18 ]
  br label %b21
b20:
  br label %b21
b21:
  %v106 = phi i64 [ %value.37, %b19 ], [ %value.18, %b20 ]
  %v107 = phi i1 [ %v105, %b19 ], [ %waiting.19, %b20 ]
  br label %b2
b22:
  br label %b33
b23:
  %v108 = fcmp oeq double %mean.2, 0x0000000000000000
  br i1 %v108, label %b24, label %b25
b24:
  br label %b32
b25:
  %v109 = fcmp ogt double %mean.2, 0x0000000000000000
  %v110 = fcmp olt double %mean.2, 0x4024000000000000
  %v111 = and i1 %v109, %v110
  br i1 %v111, label %b26, label %b30
b26:
  %x.112 = fneg double %mean.2
  %limit.113 = call double @cogir_exp_1(double %x.112)
  br label %b27
b27:
  %product.114 = phi double [ 0x3FF0000000000000, %b26 ], [ %product.118, %b28 ]
  %value.115 = phi i64 [ -1, %b26 ], [ %value.119, %b28 ]
  %waiting.116 = phi i1 [ true, %b26 ], [ %waiting.120, %b28 ]
  br i1 %waiting.116, label %b28, label %b29
b28:
  %u.117 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %product.118 = fmul double %product.114, %u.117
  %value.119 = add i64 %value.115, 1
  %waiting.120 = fcmp ogt double %product.118, %limit.113
  br label %b27
b29:
  br label %b31
b30:
  br label %b31
b31:
  %v121 = phi i64 [ %value.115, %b29 ], [ -1, %b30 ]
  br label %b32
b32:
  %v122 = phi i64 [ 0, %b24 ], [ %v121, %b31 ]
  br label %b33
b33:
  %v123 = phi i64 [ %value.18, %b22 ], [ %v122, %b32 ]
  ret i64 %v123
}

@cogir_rng_xoshiro256_poisson_constant_0 = internal constant [10 x double] [double 0xBFF6476701181F35, double 0x3FC6FE96381E0685, double 0xBF9E4286CB0F5397, double 0x3F7A41A41A41A41A, double 0xBF5F6AB0D9993C7F, double 0x3F4B951E2B18FF24, double 0xBF43813813813813, double 0x3F4A01A01A01A01A, double 0xBF66C16C16C16C17, double 0x3FB5555555555555], align 64

; size 14 2
define internal void @cogir_rng_xoshiro256_seed(i64 noundef %seed.1, ptr align 8 dereferenceable(48) nonnull noalias noundef %v2) nounwind alwaysinline {
b0:
  br label %b1
b1:
  %v3 = phi i64 [ 0, %b0 ], [ %v6, %b2 ]
  %v4 = icmp slt i64 %v3, 6
  br i1 %v4, label %b2, label %b3
b2:
  %v5 = getelementptr inbounds i64, ptr %v2, i64 %v3
  store i64 0, ptr %v5
  %v6 = add i64 %v3, 1
  br label %b1
b3:
  br label %b4
b4:
  %i.7 = phi i64 [ 0, %b3 ], [ %v13, %b5 ]
  %seed.8 = phi i64 [ %seed.1, %b3 ], [ %seed.10, %b5 ]
  %v9 = icmp slt i64 %i.7, 4
  br i1 %v9, label %b5, label %b6
b5:
  %seed.10 = add i64 %seed.8, -7046029254386353131
  %v11 = call i64 @cogir_mix64(i64 %seed.10)
  %v12 = getelementptr inbounds i64, ptr %v2, i64 %i.7
  store i64 %v11, ptr %v12
  %v13 = add i64 %i.7, 1
  br label %b4
b6:
  ret void
}

; size 14 8
define internal double @cogir_rng_xoshiro256_uniform(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %bits.2 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  %v3 = lshr i64 %bits.2, 11
  %v4 = sitofp i64 %v3 to double
  %v5 = fmul double %v4, 0x3CA0000000000000
  ret double %v5
}

define internal { double, double } @cogir_root_of_pair(double noundef %a.1, double noundef %a_low.2) nounwind alwaysinline {
b0:
  %root.3 = call double @llvm.sqrt.f64(double %a.1)
  %v4 = fneg double %root.3
  %v5 = call double @llvm.fma.f64(double %v4, double %root.3, double %a.1)
  %v6 = fadd double %v5, %a_low.2
  %v7 = fadd double %root.3, %root.3
  %v8 = fdiv double %v6, %v7
  %v9 = insertvalue { double, double } poison, double %root.3, 0
  %v10 = insertvalue { double, double } %v9, double %v8, 1
  ret { double, double } %v10
}

define internal { <2 x double>, <2 x double> } @cogir_root_of_pair_v2(<2 x double> noundef %a.1, <2 x double> noundef %a_low.2) nounwind alwaysinline {
b0:
  %root.3 = call <2 x double> @llvm.sqrt.v2f64(<2 x double> %a.1)
  %v4 = fneg <2 x double> %root.3
  %v5 = call <2 x double> @llvm.fma.v2f64(<2 x double> %v4, <2 x double> %root.3, <2 x double> %a.1)
  %v6 = fadd <2 x double> %v5, %a_low.2
  %v7 = fadd <2 x double> %root.3, %root.3
  %v8 = fdiv <2 x double> %v6, %v7
  %v9 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %root.3, 0
  %v10 = insertvalue { <2 x double>, <2 x double> } %v9, <2 x double> %v8, 1
  ret { <2 x double>, <2 x double> } %v10
}

define internal i64 @cogir_rotate_left(i64 noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = shl i64 %x.1, 23
  %v3 = lshr i64 %x.1, 41
  %v4 = or i64 %v2, %v3
  ret i64 %v4
}

define internal i64 @cogir_rotate_left_1(i64 noundef %x.1) nounwind alwaysinline {
b0:
  %v2 = shl i64 %x.1, 45
  %v3 = lshr i64 %x.1, 19
  %v4 = or i64 %v2, %v3
  ret i64 %v4
}

define internal { double, i64 } @cogir_round_to_integer(double noundef %x.1) nounwind alwaysinline {
b0:
  %shifted.2 = fadd double %x.1, 0x4338000000000000
  %v3 = fsub double %shifted.2, 0x4338000000000000
  %v4 = bitcast double %shifted.2 to i64
  %v5 = sub i64 %v4, 4843621399236968448
  %v6 = insertvalue { double, i64 } poison, double %v3, 0
  %v7 = insertvalue { double, i64 } %v6, i64 %v5, 1
  ret { double, i64 } %v7
}

define internal { <2 x double>, <2 x i64> } @cogir_round_to_integer_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %shifted.2 = fadd <2 x double> %x.1, splat (double 0x4338000000000000)
  %v3 = fsub <2 x double> %shifted.2, splat (double 0x4338000000000000)
  %v4 = bitcast <2 x double> %shifted.2 to <2 x i64>
  %v5 = sub <2 x i64> %v4, splat (i64 4843621399236968448)
  %v6 = insertvalue { <2 x double>, <2 x i64> } poison, <2 x double> %v3, 0
  %v7 = insertvalue { <2 x double>, <2 x i64> } %v6, <2 x i64> %v5, 1
  ret { <2 x double>, <2 x i64> } %v7
}

define internal double @cogir_scale(double noundef %x.1, i64 noundef %k.2) nounwind alwaysinline {
b0:
  %both.3 = add i64 %k.2, 2046
  %half.4 = ashr i64 %both.3, 1
  %v5 = shl i64 %half.4, 52
  %v6 = bitcast i64 %v5 to double
  %v7 = fmul double %x.1, %v6
  %v8 = sub i64 %both.3, %half.4
  %v9 = shl i64 %v8, 52
  %v10 = bitcast i64 %v9 to double
  %v11 = fmul double %v7, %v10
  ret double %v11
}

define internal <2 x double> @cogir_scale_v2(<2 x double> noundef %x.1, <2 x i64> noundef %k.2) nounwind alwaysinline {
b0:
  %both.3 = add <2 x i64> %k.2, splat (i64 2046)
  %half.4 = ashr <2 x i64> %both.3, splat (i64 1)
  %v5 = shl <2 x i64> %half.4, splat (i64 52)
  %v6 = bitcast <2 x i64> %v5 to <2 x double>
  %v7 = fmul <2 x double> %x.1, %v6
  %v8 = sub <2 x i64> %both.3, %half.4
  %v9 = shl <2 x i64> %v8, splat (i64 52)
  %v10 = bitcast <2 x i64> %v9 to <2 x double>
  %v11 = fmul <2 x double> %v7, %v10
  ret <2 x double> %v11
}

define internal { double, double } @cogir_sin_reduced(double noundef %r.1, double noundef %r_low.2) nounwind alwaysinline {
b0:
  %z.3 = fmul double %r.1, %r.1
  %v4 = call double @llvm.fma.f64(double 0xBD6AB145A3AFB4CD, double %z.3, double 0x3DE6121792308A6B)
  %v5 = call double @llvm.fma.f64(double %v4, double %z.3, double 0xBE5AE64540B4D1F5)
  %v6 = fmul double %z.3, %z.3
  %v7 = fmul double %z.3, %z.3
  %v8 = fmul double %v6, %v7
  %v9 = call double @cogir_poly4(double %z.3, double 0xBFC5555555555555, double 0x3F81111111111110, double 0xBF2A01A01A019914, double 0x3EC71DE3A545C467)
  %series.10 = call double @llvm.fma.f64(double %v5, double %v8, double %v9)
  %v11 = fmul double %r.1, %z.3
  %v12 = fmul double %r_low.2, %z.3
  %v13 = call double @llvm.fma.f64(double %v12, double 0xBFE0000000000000, double %r_low.2)
  %v14 = call double @llvm.fma.f64(double %v11, double %series.10, double %v13)
  %v15 = insertvalue { double, double } poison, double %r.1, 0
  %v16 = insertvalue { double, double } %v15, double %v14, 1
  ret { double, double } %v16
}

define internal i64 @cogir_smear(i64 noundef %n.1) nounwind alwaysinline {
b0:
  %v2 = ashr i64 %n.1, 1
  %n.3 = or i64 %n.1, %v2
  %v4 = ashr i64 %n.3, 2
  %n.5 = or i64 %n.3, %v4
  %v6 = ashr i64 %n.5, 4
  %n.7 = or i64 %n.5, %v6
  %v8 = ashr i64 %n.7, 8
  %n.9 = or i64 %n.7, %v8
  %v10 = ashr i64 %n.9, 16
  %n.11 = or i64 %n.9, %v10
  %v12 = ashr i64 %n.11, 32
  %v13 = or i64 %n.11, %v12
  ret i64 %v13
}

define internal { double, double } @cogir_split(double noundef %x.1) nounwind alwaysinline {
b0:
  %subnormal.2 = fcmp olt double %x.1, 0x0010000000000000
  %v3 = fmul double %x.1, 0x4350000000000000
  %v4 = select i1 %subnormal.2, double %v3, double %x.1
  %v5 = bitcast double %v4 to i64
  %bits.6 = sub i64 %v5, 4604544271217802189
  %v7 = ashr i64 %bits.6, 52
  %v8 = sitofp i64 %v7 to double
  %v9 = select i1 %subnormal.2, double 0x404B000000000000, double 0x0000000000000000
  %k.10 = fsub double %v8, %v9
  %v11 = and i64 %bits.6, 4503599627370495
  %v12 = add i64 %v11, 4604544271217802189
  %v13 = bitcast i64 %v12 to double
  %v14 = insertvalue { double, double } poison, double %k.10, 0
  %v15 = insertvalue { double, double } %v14, double %v13, 1
  ret { double, double } %v15
}

define internal { <2 x double>, <2 x double> } @cogir_split_v2(<2 x double> noundef %x.1) nounwind alwaysinline {
b0:
  %subnormal.2 = fcmp olt <2 x double> %x.1, splat (double 0x0010000000000000)
  %v3 = fmul <2 x double> %x.1, splat (double 0x4350000000000000)
  %v4 = select <2 x i1> %subnormal.2, <2 x double> %v3, <2 x double> %x.1
  %v5 = bitcast <2 x double> %v4 to <2 x i64>
  %bits.6 = sub <2 x i64> %v5, splat (i64 4604544271217802189)
  %v7 = ashr <2 x i64> %bits.6, splat (i64 52)
  %v8 = sitofp <2 x i64> %v7 to <2 x double>
  %v9 = select <2 x i1> %subnormal.2, <2 x double> splat (double 0x404B000000000000), <2 x double> zeroinitializer
  %k.10 = fsub <2 x double> %v8, %v9
  %v11 = and <2 x i64> %bits.6, splat (i64 4503599627370495)
  %v12 = add <2 x i64> %v11, splat (i64 4604544271217802189)
  %v13 = bitcast <2 x i64> %v12 to <2 x double>
  %v14 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %k.10, 0
  %v15 = insertvalue { <2 x double>, <2 x double> } %v14, <2 x double> %v13, 1
  ret { <2 x double>, <2 x double> } %v15
}

define internal double @cogir_stirling_rest(double noundef %x.1, double noundef %squared.2) nounwind alwaysinline {
b0:
  %v3 = fdiv double 0x4061800000000000, %squared.2
  %v4 = fsub double 0x4058C00000000000, %v3
  %v5 = fdiv double %v4, %squared.2
  %v6 = fsub double 0x4060800000000000, %v5
  %v7 = fdiv double %v6, %squared.2
  %v8 = fsub double 0x407CE00000000000, %v7
  %v9 = fdiv double %v8, %squared.2
  %v10 = fsub double 0x40CAB80000000000, %v9
  %v11 = fdiv double %v10, %x.1
  %v12 = fdiv double %v11, 0x41044D8000000000
  ret double %v12
}

define internal { double, double } @cogir_two_product(double noundef %a.1, double noundef %b.2) nounwind alwaysinline {
b0:
  %high.3 = fmul double %a.1, %b.2
  %v4 = fneg double %high.3
  %v5 = call double @llvm.fma.f64(double %a.1, double %b.2, double %v4)
  %v6 = insertvalue { double, double } poison, double %high.3, 0
  %v7 = insertvalue { double, double } %v6, double %v5, 1
  ret { double, double } %v7
}

define internal { <2 x double>, <2 x double> } @cogir_two_product_v2(<2 x double> noundef %a.1, <2 x double> noundef %b.2) nounwind alwaysinline {
b0:
  %high.3 = fmul <2 x double> %a.1, %b.2
  %v4 = fneg <2 x double> %high.3
  %v5 = call <2 x double> @llvm.fma.v2f64(<2 x double> %a.1, <2 x double> %b.2, <2 x double> %v4)
  %v6 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.3, 0
  %v7 = insertvalue { <2 x double>, <2 x double> } %v6, <2 x double> %v5, 1
  ret { <2 x double>, <2 x double> } %v7
}

define internal { double, double } @cogir_two_sum(double noundef %a.1, double noundef %b.2) nounwind alwaysinline {
b0:
  %high.3 = fadd double %a.1, %b.2
  %back.4 = fsub double %high.3, %a.1
  %v5 = fsub double %high.3, %back.4
  %v6 = fsub double %a.1, %v5
  %v7 = fsub double %b.2, %back.4
  %v8 = fadd double %v6, %v7
  %v9 = insertvalue { double, double } poison, double %high.3, 0
  %v10 = insertvalue { double, double } %v9, double %v8, 1
  ret { double, double } %v10
}

define internal { <2 x double>, <2 x double> } @cogir_two_sum_v2(<2 x double> noundef %a.1, <2 x double> noundef %b.2) nounwind alwaysinline {
b0:
  %high.3 = fadd <2 x double> %a.1, %b.2
  %back.4 = fsub <2 x double> %high.3, %a.1
  %v5 = fsub <2 x double> %high.3, %back.4
  %v6 = fsub <2 x double> %a.1, %v5
  %v7 = fsub <2 x double> %b.2, %back.4
  %v8 = fadd <2 x double> %v6, %v7
  %v9 = insertvalue { <2 x double>, <2 x double> } poison, <2 x double> %high.3, 0
  %v10 = insertvalue { <2 x double>, <2 x double> } %v9, <2 x double> %v8, 1
  ret { <2 x double>, <2 x double> } %v10
}

define internal double @cogir_whole(i64 noundef %number.1) nounwind alwaysinline {
b0:
  %v2 = or i64 %number.1, 4841369599423283200
  %v3 = bitcast i64 %v2 to double
  %v4 = fsub double %v3, 0x4330000000000000
  ret double %v4
}

define internal double @cogir_whole_ahead(i64 noundef %number.1) nounwind alwaysinline {
b0:
  %v2 = or i64 %number.1, 4841369599423283200
  %v3 = bitcast i64 %v2 to double
  %v4 = fsub double %v3, 0x4330000000000000
  ret double %v4
}

define internal i64 @cogir_window(i64 noundef %bit.1) nounwind alwaysinline {
b0:
  %word.2 = ashr i64 %bit.1, 6
  %offset.3 = and i64 %bit.1, 63
  %v4 = add i64 %word.2, 1
  %v5 = add i64 %v4, 21
  %v6 = icmp slt i64 %v4, 0
  %v7 = select i1 %v6, i64 %v5, i64 %v4
  %v8 = call i64 @llvm.smax.i64(i64 %v7, i64 0)
  %v9 = call i64 @llvm.smin.i64(i64 %v8, i64 20)
  %v10 = getelementptr inbounds i64, ptr @cogir_math_sin_f64_constant_0, i64 %v9
  %v11 = load i64, ptr %v10
  %v12 = lshr i64 %v11, 1
  %v13 = sub i64 63, %offset.3
  %following.14 = lshr i64 %v12, %v13
  %v15 = add i64 %word.2, 21
  %v16 = icmp slt i64 %word.2, 0
  %v17 = select i1 %v16, i64 %v15, i64 %word.2
  %v18 = call i64 @llvm.smax.i64(i64 %v17, i64 0)
  %v19 = call i64 @llvm.smin.i64(i64 %v18, i64 20)
  %v20 = getelementptr inbounds i64, ptr @cogir_math_sin_f64_constant_0, i64 %v19
  %v21 = load i64, ptr %v20
  %v22 = shl i64 %v21, %offset.3
  %v23 = or i64 %v22, %following.14
  ret i64 %v23
}

define internal i64 @cogir_with_high_bits(i64 noundef %number.1, i64 noundef %seed.2) nounwind alwaysinline {
b0:
  %v3 = lshr i64 %seed.2, 32
  %v4 = xor i64 %number.1, %v3
  ret i64 %v4
}

define internal double @cogir_with_sign_flipped(double noundef %x.1, i64 noundef %two.2) nounwind alwaysinline {
b0:
  %v3 = bitcast double %x.1 to i64
  %v4 = shl i64 %two.2, 62
  %v5 = xor i64 %v3, %v4
  %v6 = bitcast i64 %v5 to double
  ret double %v6
}

define internal double @cogir_xoshiro256_exponential(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %u.2 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v3 = fsub double 0x3FF0000000000000, %u.2
  %v4 = call double @cogir_log_1(double %v3)
  %v5 = fneg double %v4
  ret double %v5
}

define internal double @cogir_xoshiro256_gamma(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1, double noundef %shape.2) nounwind alwaysinline {
b0:
  %v3 = fcmp oeq double %shape.2, 0x3FF0000000000000
  br i1 %v3, label %b1, label %b2
b1:
  %value.4 = call double @cogir_xoshiro256_exponential(ptr %words.1)
  br label %b30
b2:
  %v5 = fcmp oeq double %shape.2, 0x0000000000000000
  br i1 %v5, label %b3, label %b4
b3:
  br label %b29
b4:
  %v6 = fcmp ogt double %shape.2, 0x0000000000000000
  %v7 = fcmp olt double %shape.2, 0x3FF0000000000000
  %v8 = and i1 %v6, %v7
  br i1 %v8, label %b5, label %b12
b5:
  br label %b6
b6:
  %value.9 = phi double [ 0x7FF8000000000000, %b5 ], [ %v31, %b10 ]
  %waiting.10 = phi i1 [ true, %b5 ], [ %v32, %b10 ]
  br i1 %waiting.10, label %b7, label %b11
b7:
  %u.11 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %v.12 = call double @cogir_xoshiro256_exponential(ptr %words.1)
  %v13 = fsub double 0x3FF0000000000000, %shape.2
  %v14 = fcmp ole double %u.11, %v13
  br i1 %v14, label %b8, label %b9
b8:
  %y.15 = fdiv double 0x3FF0000000000000, %shape.2
  %value.16 = call double @cogir_pow_1(double %u.11, double %y.15)
  %v17 = fcmp ole double %value.16, %v.12
  %waiting.18 = xor i1 %v17, true
  br label %b10
b9:
  %v19 = fsub double 0x3FF0000000000000, %u.11
  %x.20 = fdiv double %v19, %shape.2
  %v21 = call double @cogir_log_1(double %x.20)
  %y.22 = fneg double %v21
  %v23 = fsub double 0x3FF0000000000000, %shape.2
  %v24 = fmul double %shape.2, %y.22
  %x.25 = fadd double %v23, %v24
  %y.26 = fdiv double 0x3FF0000000000000, %shape.2
  %value.27 = call double @cogir_pow_1(double %x.25, double %y.26)
  %v28 = fadd double %v.12, %y.22
  %v29 = fcmp ole double %value.27, %v28
  %waiting.30 = xor i1 %v29, true
  br label %b10
b10:
  %v31 = phi double [ %value.16, %b8 ], [ %value.27, %b9 ]
  %v32 = phi i1 [ %waiting.18, %b8 ], [ %waiting.30, %b9 ]
  br label %b6
b11:
  br label %b28
b12:
  %v33 = fcmp ogt double %shape.2, 0x3FF0000000000000
  br i1 %v33, label %b13, label %b26
b13:
  %b.34 = fsub double %shape.2, 0x3FD5555555555555
  %v35 = fmul double 0x4022000000000000, %b.34
  %v36 = call double @llvm.sqrt.f64(double %v35)
  %c.37 = fdiv double 0x3FF0000000000000, %v36
  br label %b14
b14:
  %value.38 = phi double [ 0x7FF8000000000000, %b13 ], [ %value.49, %b24 ]
  %waiting.39 = phi i1 [ true, %b13 ], [ %v66, %b24 ]
  br i1 %waiting.39, label %b15, label %b25
b15:
  br label %b16
b16:
  %x.40 = phi double [ 0x0000000000000000, %b15 ], [ %x.43, %b17 ]
  %v.41 = phi double [ 0x0000000000000000, %b15 ], [ %v.45, %b17 ]
  %v42 = fcmp ole double %v.41, 0x0000000000000000
  br i1 %v42, label %b17, label %b18
b17:
  %x.43 = call double @cogir_xoshiro256_normal(ptr %words.1)
  %v44 = fmul double %c.37, %x.43
  %v.45 = fadd double 0x3FF0000000000000, %v44
  br label %b16
b18:
  %v46 = fmul double %v.41, %v.41
  %v.47 = fmul double %v46, %v.41
  %u.48 = call double @cogir_xoshiro256_uniform(ptr %words.1)
  %value.49 = fmul double %b.34, %v.47
  %v50 = fmul double %x.40, %x.40
  %v51 = fmul double 0x3FA0F27BB2FEC56D, %v50
  %v52 = fmul double %x.40, %x.40
  %v53 = fmul double %v51, %v52
  %v54 = fsub double 0x3FF0000000000000, %v53
  %v55 = fcmp olt double %u.48, %v54
  br i1 %v55, label %b19, label %b20
b19:
  br label %b21
b20:
  %v56 = call double @cogir_log_1(double %u.48)
  %v57 = fmul double 0x3FE0000000000000, %x.40
  %v58 = fmul double %v57, %x.40
  %v59 = fsub double 0x3FF0000000000000, %v.47
  %v60 = call double @cogir_log_1(double %v.47)
  %v61 = fadd double %v59, %v60
  %v62 = fmul double %b.34, %v61
  %v63 = fadd double %v58, %v62
  %v64 = fcmp olt double %v56, %v63
  br label %b21
b21:
  %v65 = phi i1 [ %v55, %b19 ], [ %v64, %b20 ]
  br i1 %v65, label %b22, label %b23
b22:
  br label %b24
b23:
  br label %b24
b24:
  %v66 = phi i1 [ false, %b22 ], [ %waiting.39, %b23 ]
  br label %b14
b25:
  br label %b27
b26:
  br label %b27
b27:
  %v67 = phi double [ %value.38, %b25 ], [ 0x7FF8000000000000, %b26 ]
  br label %b28
b28:
  %v68 = phi double [ %value.9, %b11 ], [ %v67, %b27 ]
  br label %b29
b29:
  %v69 = phi double [ 0x0000000000000000, %b3 ], [ %v68, %b28 ]
  br label %b30
b30:
  %v70 = phi double [ %value.4, %b1 ], [ %v69, %b29 ]
  ret double %v70
}

define internal void @cogir_xoshiro256_keyed4(i64 noundef %seed.1, i64 noundef %generator.2, i64 noundef %replicate.3, ptr align 8 dereferenceable(48) nonnull noalias noundef %v4) nounwind alwaysinline {
b0:
  %v5 = add i64 %seed.1, 2611923443488327891
  %v6 = call i64 @cogir_mix64(i64 %v5)
  %generator.7 = xor i64 %generator.2, %v6
  %v8 = add i64 %generator.7, 1376283091369227076
  %v9 = call i64 @cogir_mix64(i64 %v8)
  %point.10 = xor i64 -1, %v9
  %v11 = add i64 %point.10, -6626703657320631856
  %v12 = call i64 @cogir_mix64(i64 %v11)
  %replicate.13 = xor i64 %replicate.3, %v12
  %v14 = add i64 %replicate.13, 589684135938649225
  %v15 = call i64 @cogir_mix64(i64 %v14)
  %seed.16 = xor i64 %seed.1, %v15
  %v17 = add i64 %seed.16, 4983270260364809079
  %v18 = call i64 @cogir_mix64(i64 %v17)
  %generator.19 = xor i64 %generator.7, %v18
  %v20 = add i64 %generator.19, -4732044268327596948
  %v21 = call i64 @cogir_mix64(i64 %v20)
  %point.22 = xor i64 %point.10, %v21
  %v23 = add i64 %point.22, -4563226453097033507
  %v24 = call i64 @cogir_mix64(i64 %v23)
  %replicate.25 = xor i64 %replicate.13, %v24
  %v26 = add i64 %replicate.25, 4577018097722394903
  %v27 = call i64 @cogir_mix64(i64 %v26)
  %seed.28 = xor i64 %seed.16, %v27
  br label %b1
b1:
  %v29 = phi i64 [ 0, %b0 ], [ %v32, %b2 ]
  %v30 = icmp slt i64 %v29, 6
  br i1 %v30, label %b2, label %b3
b2:
  %v31 = getelementptr inbounds i64, ptr %v4, i64 %v29
  store i64 0, ptr %v31
  %v32 = add i64 %v29, 1
  br label %b1
b3:
  store i64 %seed.28, ptr %v4
  %v33 = getelementptr inbounds i64, ptr %v4, i32 1
  store i64 %generator.19, ptr %v33
  %v34 = getelementptr inbounds i64, ptr %v4, i32 2
  store i64 %point.22, ptr %v34
  %v35 = getelementptr inbounds i64, ptr %v4, i32 3
  store i64 %replicate.25, ptr %v35
  ret void
}

define internal i64 @cogir_xoshiro256_next(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = load i64, ptr %words.1
  %v3 = getelementptr inbounds i64, ptr %words.1, i32 1
  %v4 = load i64, ptr %v3
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 2
  %v6 = load i64, ptr %v5
  %v7 = getelementptr inbounds i64, ptr %words.1, i32 3
  %v8 = load i64, ptr %v7
  %v9 = call { i64, i64, i64, i64, i64 } @cogir_xoshiro256_step(i64 %v2, i64 %v4, i64 %v6, i64 %v8)
  %bits.10 = extractvalue { i64, i64, i64, i64, i64 } %v9, 0
  %v11 = extractvalue { i64, i64, i64, i64, i64 } %v9, 1
  %v12 = extractvalue { i64, i64, i64, i64, i64 } %v9, 2
  %v13 = extractvalue { i64, i64, i64, i64, i64 } %v9, 3
  %v14 = extractvalue { i64, i64, i64, i64, i64 } %v9, 4
  store i64 %v11, ptr %words.1
  %v15 = getelementptr inbounds i64, ptr %words.1, i32 1
  store i64 %v12, ptr %v15
  %v16 = getelementptr inbounds i64, ptr %words.1, i32 2
  store i64 %v13, ptr %v16
  %v17 = getelementptr inbounds i64, ptr %words.1, i32 3
  store i64 %v14, ptr %v17
  ret i64 %bits.10
}

define internal double @cogir_xoshiro256_normal(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %v2 = getelementptr inbounds i64, ptr %words.1, i32 4
  %v3 = load i64, ptr %v2
  %v4 = icmp ne i64 %v3, 0
  br i1 %v4, label %b1, label %b2
b1:
  %v5 = getelementptr inbounds i64, ptr %words.1, i32 5
  %v6 = load i64, ptr %v5
  %kept.7 = bitcast i64 %v6 to double
  %v8 = getelementptr inbounds i64, ptr %words.1, i32 4
  store i64 0, ptr %v8
  %v9 = getelementptr inbounds i64, ptr %words.1, i32 5
  store i64 0, ptr %v9
  br label %b3
b2:
  %first.10 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  %second.11 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  %v12 = lshr i64 %first.10, 11
  %v13 = add i64 %v12, 1
  %v14 = sitofp i64 %v13 to double
  %v15 = fmul double %v14, 0x3CA0000000000000
  %v16 = call double @cogir_log_of_uniform(double %v15)
  %v17 = fmul double 0xC000000000000000, %v16
  %radius.18 = call double @llvm.sqrt.f64(double %v17)
  %v19 = lshr i64 %second.11, 11
  %v20 = sitofp i64 %v19 to double
  %v21 = fmul double %v20, 0x3CA0000000000000
  %v22 = call { double, double } @cogir_cos_sin_of_turns(double %v21)
  %cosine.23 = extractvalue { double, double } %v22, 0
  %sine.24 = extractvalue { double, double } %v22, 1
  %v25 = getelementptr inbounds i64, ptr %words.1, i32 4
  store i64 1, ptr %v25
  %v26 = fmul double %radius.18, %sine.24
  %v27 = bitcast double %v26 to i64
  %v28 = getelementptr inbounds i64, ptr %words.1, i32 5
  store i64 %v27, ptr %v28
  %v29 = fmul double %radius.18, %cosine.23
  br label %b3
b3:
  %v30 = phi double [ %kept.7, %b1 ], [ %v29, %b2 ]
  ret double %v30
}

define internal { i64, i64, i64, i64, i64 } @cogir_xoshiro256_step(i64 noundef %s0.1, i64 noundef %s1.2, i64 noundef %s2.3, i64 noundef %s3.4) nounwind alwaysinline {
b0:
  %v5 = add i64 %s0.1, %s3.4
  %v6 = call i64 @cogir_rotate_left(i64 %v5)
  %bits.7 = add i64 %v6, %s0.1
  %shifted.8 = shl i64 %s1.2, 17
  %s2.9 = xor i64 %s2.3, %s0.1
  %s3.10 = xor i64 %s3.4, %s1.2
  %v11 = xor i64 %s0.1, %s3.10
  %v12 = xor i64 %s1.2, %s2.9
  %v13 = xor i64 %s2.9, %shifted.8
  %v14 = call i64 @cogir_rotate_left_1(i64 %s3.10)
  %v15 = insertvalue { i64, i64, i64, i64, i64 } poison, i64 %bits.7, 0
  %v16 = insertvalue { i64, i64, i64, i64, i64 } %v15, i64 %v11, 1
  %v17 = insertvalue { i64, i64, i64, i64, i64 } %v16, i64 %v12, 2
  %v18 = insertvalue { i64, i64, i64, i64, i64 } %v17, i64 %v13, 3
  %v19 = insertvalue { i64, i64, i64, i64, i64 } %v18, i64 %v14, 4
  ret { i64, i64, i64, i64, i64 } %v19
}

define internal double @cogir_xoshiro256_uniform(ptr align 8 dereferenceable(48) nonnull noalias noundef %words.1) nounwind alwaysinline {
b0:
  %bits.2 = call i64 @cogir_xoshiro256_next(ptr %words.1)
  %v3 = lshr i64 %bits.2, 11
  %v4 = sitofp i64 %v3 to double
  %v5 = fmul double %v4, 0x3CA0000000000000
  ret double %v5
}

declare double @exp(double noundef) nounwind willreturn nobuiltin memory(none)

declare double @llvm.ceil.f64(double)

declare double @llvm.copysign.f64(double, double)

declare <2 x double> @llvm.copysign.v2f64(<2 x double>, <2 x double>)

declare double @llvm.fabs.f64(double)

declare <2 x double> @llvm.fabs.v2f64(<2 x double>)

declare double @llvm.floor.f64(double)

declare double @llvm.fma.f64(double, double, double)

declare <2 x double> @llvm.fma.v2f64(<2 x double>, <2 x double>, <2 x double>)

declare i64 @llvm.smax.i64(i64, i64)

declare i64 @llvm.smin.i64(i64, i64)

declare double @llvm.sqrt.f64(double)

declare <2 x double> @llvm.sqrt.v2f64(<2 x double>)

declare double @llvm.trunc.f64(double)

declare <2 x double> @llvm.trunc.v2f64(<2 x double>)

declare double @log(double noundef) nounwind willreturn nobuiltin memory(none)

declare double @log1p(double noundef) nounwind willreturn nobuiltin memory(none)

declare double @pow(double noundef, double noundef) nounwind willreturn nobuiltin memory(none)
