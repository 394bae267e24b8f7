// A command for a terminal, with a button that copies it.
import type { ReactElement } from 'react'
import { Breakable } from '../ui/breakable.tsx'
import { CopyButton } from '../ui/copy-button.tsx'

export function ShellCommand({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      <code className="break-words text-ink">
        <Breakable text={text} />
      </code>
      <CopyButton text={text} label={`Copy ${text}`} />
    </>
  )
}
