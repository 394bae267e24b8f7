// The HTML of an e-mail as its reader would see it. It is a stranger's: the frame has no origin, runs no script, opens nothing,
// sends no form and loads nothing from anywhere.
import type { ReactElement } from 'react'

const POLICY = `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; img-src data:">`

export function MailFrame({
  html,
  subject,
}: {
  readonly html: string
  readonly subject: string
}): ReactElement {
  return (
    <iframe
      title={`E-mail: ${subject}`}
      sandbox=""
      srcDoc={`<!doctype html>${POLICY}${html}`}
      referrerPolicy="no-referrer"
      // Mail is written for white paper, whatever the theme.
      className="min-h-64 w-full flex-1 border-0 bg-[#ffffff] [color-scheme:light]"
    />
  )
}
