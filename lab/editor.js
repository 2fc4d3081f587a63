// The editor: CodeMirror, with the lines of an idea marked, the line that runs, and an error beside
// its line.
import { defaultKeymap, history, historyKeymap, indentWithTab } from "@codemirror/commands";
import { python } from "@codemirror/lang-python";
import { HighlightStyle, bracketMatching, indentUnit, syntaxHighlighting } from "@codemirror/language";
import { EditorState, StateEffect, StateField } from "@codemirror/state";
import { Decoration, EditorView, WidgetType, drawSelection, highlightActiveLine, keymap, lineNumbers } from "@codemirror/view";
import { tags } from "@lezer/highlight";

const mark = StateEffect.define(); // {ideas, line, error: {line, text}}

class Note extends WidgetType {
  constructor(text) {
    super();
    this.text = text;
  }

  eq(other) { return other.text === this.text; }

  toDOM() {
    const note = document.createElement("div");
    note.className = "cm-note";
    note.textContent = this.text;
    return note;
  }
}

const IDEA = Decoration.line({ class: "cm-idea" });
const HERE = Decoration.line({ class: "cm-here" });
const WRONG = Decoration.line({ class: "cm-wrong" });

const marks = StateField.define({
  create: () => Decoration.none,
  update(old, change) {
    const given = change.effects.find((effect) => effect.is(mark))?.value;
    if (!given) return change.docChanged ? Decoration.none : old;
    const { doc } = change.state;
    const at = (line) => doc.line(Math.min(Math.max(1, line), doc.lines));
    const found = (given.ideas ?? []).map((line) => IDEA.range(at(line).from));
    if (given.line) found.push(HERE.range(at(given.line).from));
    if (given.error?.line) {
      const line = at(given.error.line);
      found.push(WRONG.range(line.from), Decoration.widget({ widget: new Note(given.error.text),
        block: true, side: 1 }).range(line.to));
    }
    return Decoration.set(found, true);
  },
  provide: (field) => EditorView.decorations.from(field),
});

const colours = HighlightStyle.define([
  { tag: [tags.keyword, tags.operatorKeyword, tags.controlKeyword], color: "var(--accent)" },
  { tag: [tags.comment, tags.string], color: "var(--soft)", fontStyle: "italic" },
  { tag: [tags.number, tags.bool, tags.null], color: "var(--ok)" }]);

export function edit(parent, text, changed, run) {
  const view = new EditorView({
    parent,
    state: EditorState.create({ doc: text, extensions: [
      lineNumbers(), history(), drawSelection(), bracketMatching(), highlightActiveLine(), python(),
      indentUnit.of("    "), syntaxHighlighting(colours), marks,
      keymap.of([{ key: "Mod-Enter", run: () => { run(); return true; } }, ...defaultKeymap, ...historyKeymap, indentWithTab]),
      EditorView.clipboardInputFilter.of((pasted) => pasted.replaceAll("\u00a0", " ").replaceAll("\ufeff", "")), // of web pages
      EditorView.contentAttributes.of({ "aria-label": "Your search, in Python" }),
      EditorView.updateListener.of((update) => update.docChanged && changed()),
    ] }),
  });
  view.scrollDOM.tabIndex = 0; // long lines are not wrapped: arrow keys move them
  return {
    get text() { return view.state.doc.toString(); },
    set text(next) {
      if (next === view.state.doc.toString()) return;
      view.dispatch({ changes: { from: 0, to: view.state.doc.length, insert: next } });
    },
    mark(given, follow = false) {
      view.dispatch({ effects: [mark.of(given), ...follow && given.line ? [EditorView.scrollIntoView(
        view.state.doc.line(Math.min(given.line, view.state.doc.lines)).from, { y: "nearest" })] : []] });
    },
    focus: () => view.focus(),
  };
}
