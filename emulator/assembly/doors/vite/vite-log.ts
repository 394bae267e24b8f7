// Writes what the emulator says into Vite's log, in Vite's style. Pure except for the log.
import { styleText } from 'node:util'
import type { Logger } from 'vite'
import type { JournalEntry } from '../../../contract/journal.ts'
import { printable, printableLines, shortened } from '../../../core/printable.ts'

type Style = Parameters<typeof styleText>[0]

/** Most characters of an address in a line. */
const MAX_TARGET = 160
/** Most characters of a reason. */
const MAX_REASON = 400
/** nginx's status for a client that closed the connection. */
const CLIENT_CLOSED = 499

/** Colours a text as Vite does: only in a terminal, and as NO_COLOR and FORCE_COLOR say. */
export function styled(style: Style, text: string): string {
  return styleText(style, text, { stream: process.stdout, validateStream: true })
}

/** The line below Vite's own addresses. */
export function addressLine(url: string, tenant: string | undefined): string {
  const who =
    tenant === undefined ? 'no tenant yet: restart Vite when there is one' : `tenant ${tenant}`
  return `  ${styled('green', '➜')}  ${styled('bold', 'Tenantry')}: ${styled('cyan', url)} ${styled('dim', `(${who})`)}`
}

/** Whether the log shows the request: one that the platform refused, of this tenant or of no tenant. */
export function isShown(entry: JournalEntry, schemaName: string | undefined): boolean {
  const { is_from_inspector: isOwn, schema_name: schema, service, status } = entry
  if (status < 400 || status === CLIENT_CLOSED || isOwn || service === 'inspector') return false
  return schema === null || schemaName === undefined || schema === schemaName
}

/** Returns a line such as `403 42501 POST /notes as authenticated: No policy on notes allows …`. */
export function refusalLine(entry: JournalEntry, reason: string | null): string {
  const { error_code: code, method, role, status, target } = entry
  const what = [status, code, method, shortened(target, MAX_TARGET), role && `as ${role}`]
  const why = shortened(reason ?? 'refused', MAX_REASON)
  return `${styled('yellow', printable(what.filter(Boolean).join(' ')))}${styled('dim', `: ${printable(why)}`)}`
}

/** Writes a text of the emulator with Vite's time and a tag of its own. */
export function logText(logger: Logger, level: 'info' | 'warn' | 'error', text: string): void {
  logger[level](`${styled('green', '[tenantry]')} ${text}`, { timestamp: true })
}

/** Writes what the emulator's process printed. */
export function logOutput(logger: Logger, text: string, stream: 'stdout' | 'stderr'): void {
  const level = stream === 'stdout' ? 'info' : 'warn'
  logText(logger, level, printableLines(text.replace(/^tenantry: /, '')))
}
