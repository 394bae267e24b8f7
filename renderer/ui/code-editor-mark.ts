// Marks an error in an editor: tints the line, underlines the word, and shows the message on hover. The mark moves when the user
// edits text before it.
import { type EditorState, StateEffect, type StateEffectType, StateField } from '@codemirror/state'
import { Decoration, type DecorationSet, EditorView } from '@codemirror/view'

export interface EditorMark {
  /** 0-based offset into the text. */
  readonly at: number
  readonly message: string
}

export const setMark: StateEffectType<EditorMark | undefined> = StateEffect.define()

export const markField: StateField<DecorationSet> = StateField.define<DecorationSet>({
  create: () => Decoration.none,
  update: (marks, transaction) => {
    const effect = transaction.effects.findLast((one) => one.is(setMark))
    return effect === undefined
      ? marks.map(transaction.changes)
      : decorationsOf(transaction.state, effect.value)
  },
  provide: (field) => EditorView.decorations.from(field),
})

function decorationsOf(state: EditorState, mark: EditorMark | undefined): DecorationSet {
  if (mark === undefined || state.doc.length === 0) return Decoration.none
  const at = Math.min(Math.max(0, mark.at), state.doc.length - 1)
  const line = state.doc.lineAt(at)
  const word = state.wordAt(at) ?? { from: at, to: Math.min(at + 1, line.to) }
  const attributes = { title: mark.message }
  return Decoration.set([
    Decoration.line({ class: 'cm-mark-line' }).range(line.from),
    ...(word.from < word.to
      ? [Decoration.mark({ class: 'cm-mark', attributes }).range(word.from, word.to)]
      : []),
  ])
}
