"""
Products of matrices in tiles that fit into registers and caches: `tile-products`, `pack-products`, `block-products`,
`vectorize-products`.
"""
