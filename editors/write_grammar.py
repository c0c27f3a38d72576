"""
Writes the TextMate grammar of the extension for Visual Studio Code from the table in `cogir/pictures/highlighting.py`.

    python editors/write_grammar.py
"""

from pathlib import Path

from cogir.pictures.highlighting import textmate_grammar

GRAMMAR = Path(__file__).parent / "vscode" / "syntaxes" / "cog.tmLanguage.json"

if __name__ == "__main__":
    before = GRAMMAR.read_text(encoding="utf-8")
    GRAMMAR.write_text(textmate_grammar(), encoding="utf-8")
    print(f"{GRAMMAR}: {'unchanged' if textmate_grammar() == before else 'updated'}")
