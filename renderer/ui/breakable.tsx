// A name or a path that wraps between its parts, after `_` or `/` for example, and not within a word.
import { Fragment, type ReactElement } from 'react'
import { partsOf } from './name-parts.ts'

/** Use it within `break-words`, which still breaks a part that is longer than its line. */
export function Breakable({ text }: { readonly text: string }): ReactElement {
  return (
    <>
      {partsOf(text).map((part, place) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the same part may occur twice in one name
        <Fragment key={place}>
          {place > 0 && <wbr />}
          {part}
        </Fragment>
      ))}
    </>
  )
}
