// Builds the HTML of e-mails: one narrow column without images, scripts or external resources. Pure.

/** Wraps parts made by the functions below in an HTML document. */
export function htmlPage(title: string, parts: readonly string[]): string {
  return [
    '<!doctype html>',
    '<html lang="en">',
    `<head><meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>${escapeHtml(title)}</title></head>`,
    '<body style="margin:0;padding:32px 16px;background:#f4f4f2;color:#1c1c1a;font:16px/1.5 system-ui,sans-serif">',
    '<main style="max-width:480px;margin:0 auto;padding:32px;background:#fff;border:1px solid #e2e2de;border-radius:8px">',
    `<h1 style="margin:0 0 16px;font-size:20px;line-height:1.3">${escapeHtml(title)}</h1>`,
    ...parts,
    '</main>',
    '</body>',
    '</html>',
    '',
  ].join('\n')
}

export function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}

export function codeBlock(code: string): string {
  return `<p style="margin:0 0 16px;font:600 32px/1.2 ui-monospace,monospace;letter-spacing:6px">${escapeHtml(code)}</p>`
}

/** Renders a button, and below the button the address for copying. Leaves out the button if the address could run script. */
export function linkButton(label: string, address: string): string {
  const shown = `<p style="margin:0 0 16px;font-size:13px;color:#5c5c56;overflow-wrap:anywhere">${escapeHtml(address)}</p>`
  if (isScript(address)) return shown
  return `<p style="margin:0 0 8px"><a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5c4a;color:#fff;text-decoration:none">${escapeHtml(label)}</a></p>\n${shown}`
}

function isScript(address: string): boolean {
  return (
    !URL.canParse(address) || /^(javascript|data|vbscript|blob):$/.test(new URL(address).protocol)
  )
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? character)
}
