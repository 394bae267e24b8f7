// The CodeMirror editor. code-editor.tsx loads this file when the first editor shows.
import {
  autocompletion,
  closeBrackets,
  closeBracketsKeymap,
  closeCompletion,
  completeFromList,
  completionKeymap,
} from '@codemirror/autocomplete'
import { defaultKeymap, history, historyKeymap, indentWithTab } from '@codemirror/commands'
import { json } from '@codemirror/lang-json'
import { PostgreSQL, type SQLNamespace, sql } from '@codemirror/lang-sql'
import { bracketMatching, indentOnInput, syntaxHighlighting } from '@codemirror/language'
import { Compartment, EditorState, type Extension, Prec } from '@codemirror/state'
import {
  drawSelection,
  EditorView,
  highlightActiveLine,
  keymap,
  lineNumbers,
  placeholder as placeholderText,
} from '@codemirror/view'
import { type ReactElement, useEffect, useRef } from 'react'
import { type EditorMark, markField, setMark } from './code-editor-mark.ts'
import { editorTheme, highlightStyle } from './code-editor-theme.ts'

/** Names of tables and columns, for completion. */
export type SqlSchema = SQLNamespace

export interface EditorPiece {
  readonly text: string
  /** Offset of the piece's first character in the whole text. */
  readonly from: number
}

export interface CodeEditorProps {
  readonly label: string
  readonly value: string
  readonly onChange?: (value: string) => void
  readonly language?: 'sql' | 'json' | 'text'
  readonly schema?: SqlSchema
  readonly placeholder?: string
  readonly isReadOnly?: boolean
  /** Additional words for completion, such as names of functions. */
  readonly words?: readonly string[]
  /** The error to mark in the text. */
  readonly mark?: EditorMark | undefined
  /** Called when the user presses Ctrl/Cmd+Enter, with the selection or else the whole text. */
  readonly onRun?: (piece: EditorPiece) => void
  /** Called when the selection changes. `undefined` means that nothing is selected. */
  readonly onSelection?: (piece: EditorPiece | undefined) => void
  /** Called when the editor shows, with a function that inserts text at the cursor and focuses the editor. */
  readonly onReady?: (insert: (text: string) => void) => void
  /** Focuses the editor when it first shows. */
  readonly isFirst?: boolean
}

export function CodeEditorView(props: CodeEditorProps): ReactElement {
  const { label, value, language = 'text', schema, words, mark, isReadOnly = false } = props
  const place = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView>(undefined)
  const latest = useRef(props)
  const languageSlot = useRef(new Compartment())
  const readOnlySlot = useRef(new Compartment())
  useEffect(() => {
    latest.current = props
  })
  // biome-ignore lint/correctness/useExhaustiveDependencies: the editor is created once; the effects below apply changed props
  useEffect(() => {
    if (place.current === null) return
    const editor = new EditorView({
      parent: place.current,
      doc: value,
      extensions: [
        languageSlot.current.of(languageOf(language, schema, words)),
        markField,
        readOnlySlot.current.of(readOnly(isReadOnly)),
        Prec.highest(
          keymap.of([
            {
              key: 'Mod-Enter',
              run: (at) => {
                closeCompletion(at)
                return run(at, latest.current)
              },
            },
          ]),
        ),
        usual(label, props.placeholder),
        EditorView.updateListener.of((update) => {
          if (update.docChanged) latest.current.onChange?.(update.state.doc.toString())
          if (update.selectionSet || update.docChanged)
            latest.current.onSelection?.(selectedPiece(update.state))
        }),
      ],
    })
    view.current = editor
    if (props.isFirst === true) editor.focus()
    latest.current.onReady?.((text) => {
      editor.dispatch(editor.state.replaceSelection(text))
      editor.focus()
    })
    return () => editor.destroy()
  }, [])
  useEffect(() => {
    const effects = languageSlot.current.reconfigure(languageOf(language, schema, words))
    view.current?.dispatch({ effects })
  }, [language, schema, words])
  useEffect(() => {
    view.current?.dispatch({ effects: readOnlySlot.current.reconfigure(readOnly(isReadOnly)) })
  }, [isReadOnly])
  useEffect(() => {
    const editor = view.current
    if (editor === undefined || editor.state.doc.toString() === value) return
    editor.dispatch({ changes: { from: 0, to: editor.state.doc.length, insert: value } })
  }, [value])
  useEffect(() => {
    view.current?.dispatch({ effects: setMark.of(mark) })
  }, [mark])
  return <div ref={place} className="min-h-0 min-w-0 flex-1 overflow-hidden" />
}

function usual(label: string, placeholder: string | undefined): Extension {
  return [
    lineNumbers(),
    highlightActiveLine(),
    placeholder === undefined ? [] : placeholderText(placeholder),
    history(),
    drawSelection(),
    indentOnInput(),
    bracketMatching(),
    closeBrackets(),
    autocompletion({ icons: false }),
    syntaxHighlighting(highlightStyle),
    editorTheme,
    EditorView.lineWrapping,
    EditorView.contentAttributes.of({ 'aria-label': label }),
    keymap.of([
      ...closeBracketsKeymap,
      ...completionKeymap,
      ...defaultKeymap,
      ...historyKeymap,
      indentWithTab,
    ]),
  ]
}

function languageOf(
  language: NonNullable<CodeEditorProps['language']>,
  schema: SqlSchema | undefined,
  words: readonly string[] = [],
): Extension {
  if (language === 'json') return json()
  if (language === 'text') return []
  const functions = words.map((label) => ({ label, type: 'function', detail: '()' }))
  return [
    sql({ dialect: PostgreSQL, ...(schema === undefined ? {} : { schema }) }),
    PostgreSQL.language.data.of({ autocomplete: completeFromList(functions) }),
  ]
}

function readOnly(isReadOnly: boolean): Extension {
  return [EditorState.readOnly.of(isReadOnly), EditorView.editable.of(!isReadOnly)]
}

function run({ state }: EditorView, { onRun }: CodeEditorProps): boolean {
  if (onRun === undefined) return false
  onRun(selectedPiece(state) ?? { text: state.doc.toString(), from: 0 })
  return true
}

function selectedPiece(state: EditorState): EditorPiece | undefined {
  const { from, to } = state.selection.main
  return from === to ? undefined : { text: state.sliceDoc(from, to), from }
}
