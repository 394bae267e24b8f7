// The CodeMirror theme. CodeMirror uses the inspector's design tokens, and so follows the dark and the light theme.
import { defaultHighlightStyle, HighlightStyle } from '@codemirror/language'
import type { Extension } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Maps the colours of the library's default style, one for each kind of token, to colours of the inspector. */
const OURS: Readonly<Record<string, string>> = {
  '#708': 'var(--color-accent)',
  '#219': 'var(--color-clock)',
  '#164': 'var(--color-changed)',
  '#a11': 'var(--color-allowed)',
  '#e40': 'var(--color-fault)',
  '#00f': 'var(--color-ink)',
  '#30a': 'var(--color-ink)',
  '#085': 'var(--color-changed)',
  '#167': 'var(--color-changed)',
  '#256': 'var(--color-fault)',
  '#00c': 'var(--color-ink)',
  '#940': 'var(--color-ink-dim)',
  '#f00': 'var(--color-refused)',
  '#404740': 'var(--color-ink-dim)',
}

export const highlightStyle: HighlightStyle = HighlightStyle.define(
  defaultHighlightStyle.specs.map((spec) => ({
    ...spec,
    ...(typeof spec['color'] === 'string' ? { color: OURS[spec['color']] } : {}),
  })),
)

export const editorTheme: Extension = EditorView.theme({
  '&': { height: '100%', color: 'var(--color-ink)', backgroundColor: 'transparent' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': {
    fontFamily: 'var(--font-mono)',
    fontSize: 'var(--text-base)',
    lineHeight: 'var(--text-base--line-height)',
  },
  '.cm-content': { padding: '8px 0', caretColor: 'var(--color-accent)' },
  '.cm-line': { padding: '0 12px' },
  '.cm-cursor': { borderLeftColor: 'var(--color-accent)' },
  '.cm-selectionBackground, &.cm-focused > .cm-scroller > .cm-selectionLayer .cm-selectionBackground':
    {
      backgroundColor: 'color-mix(in oklab, var(--color-accent) 28%, transparent)',
    },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in oklab, var(--color-ink) 4%, transparent)',
  },
  '.cm-gutters': {
    backgroundColor: 'transparent',
    color: 'var(--color-ink-dim)',
    borderRight: '1px solid var(--color-line)',
  },
  '.cm-matchingBracket, &.cm-focused .cm-matchingBracket': {
    backgroundColor: 'var(--color-surface-3)',
    outline: '1px solid var(--color-line-strong)',
  },
  '.cm-mark-line': {
    backgroundColor: 'color-mix(in oklab, var(--color-refused) 12%, transparent)',
  },
  '.cm-mark': { textDecoration: 'underline wavy var(--color-refused)', textUnderlineOffset: '3px' },
  '.cm-placeholder': { color: 'var(--color-ink-dim)' },
  '.cm-tooltip': {
    backgroundColor: 'var(--color-surface-1)',
    color: 'var(--color-ink)',
    border: '1px solid var(--color-line-strong)',
    borderRadius: 'var(--radius-2)',
    boxShadow: 'var(--shadow-pop)',
    overflow: 'hidden',
  },
  '.cm-tooltip-autocomplete > ul': { fontFamily: 'var(--font-mono)', maxHeight: '240px' },
  '.cm-tooltip-autocomplete > ul > li': { padding: '2px 8px' },
  '.cm-tooltip-autocomplete > ul > li[aria-selected]': {
    backgroundColor: 'var(--color-surface-3)',
    color: 'var(--color-ink)',
  },
  '.cm-completionDetail': { color: 'var(--color-ink-dim)', fontStyle: 'normal' },
})
