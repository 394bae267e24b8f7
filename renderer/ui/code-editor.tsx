// An editor for SQL and JSON. The browser loads CodeMirror when the first editor shows.
import { lazy, type ReactElement, Suspense } from 'react'
import type { CodeEditorProps } from './code-editor-view.tsx'

export type { CodeEditorProps, EditorPiece } from './code-editor-view.tsx'

const View = lazy(async () => {
  const { CodeEditorView } = await import('./code-editor-view.tsx')
  return { default: CodeEditorView }
})

export function CodeEditor(props: CodeEditorProps): ReactElement {
  return (
    <Suspense
      fallback={
        <pre className="min-h-0 flex-1 overflow-auto px-3 py-2 text-ink-dim">{props.value}</pre>
      }
    >
      <View {...props} />
    </Suspense>
  )
}
