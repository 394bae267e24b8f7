// Links to the symptom of a request in the documentation, which the emulator serves (docs/troubleshooting.md).
import type { ReactElement } from 'react'

/** The anchors of docs/troubleshooting.md, by the status of the answer. An empty answer has the status 200. */
const ANCHORS: ReadonlyMap<number, string> = new Map([
  [200, 'empty'],
  [401, '401'],
  [403, '403'],
  [404, '404'],
  [503, '503'],
])

export function TroubleshootingLink({ status }: { readonly status: number }): ReactElement | null {
  const anchor = ANCHORS.get(status)
  if (anchor === undefined) return null
  return (
    <a
      href={`/_emulator/docs/troubleshooting.html#${anchor}`}
      target="_blank"
      rel="noreferrer"
      className="w-max text-small text-accent hover:underline"
    >
      Troubleshooting
    </a>
  )
}
