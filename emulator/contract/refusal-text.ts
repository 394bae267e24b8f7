// Formats a refused request with its reason, for the report of a failed command or test. Pure.
import { printable, shortened } from '../core/printable.ts'
import type { JournalEntry } from './journal.ts'

/** Most characters of a line. A target or a reason can be as long as the request. */
const MAX_LINE = 1_000

/** Returns two lines: the request, and why it was refused. @param sentence the reason */
export function refusalText(entry: JournalEntry, sentence: string): string {
  const who = [entry.schema_name ?? entry.group_id, entry.role].filter(Boolean).join(' ')
  const code = entry.error_code === null ? '' : ` ${entry.error_code}`
  const request = `${entry.received_at.slice(11, 23)}  ${entry.status}${code}  ${entry.method} ${entry.target}  ${who}`
  return `  ${line(request)}\n      ${line(sentence)}`
}

function line(text: string): string {
  return printable(shortened(text, MAX_LINE))
}
