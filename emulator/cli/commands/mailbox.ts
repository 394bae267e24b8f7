// `tenantry mailbox`: reads the messages of a running emulator, or waits for the next one. Exits with 0 after printing a
// message, with 2 when there was no message, and with 1 after a failure.
import { Command, Option } from 'commander'
import { MESSAGE_CHANNELS } from '../../contract/choices.ts'
import type { MailboxMessage } from '../../contract/mailbox.ts'
import { SystemClock } from '../../core/clock.ts'
import { printable } from '../../core/printable.ts'
import type { RunningEmulator } from '../../platform/http-client/running-emulator.ts'
import { parseCount, parseSeconds } from '../parse-options.ts'
import { type EmulatorAddress, emulatorOf, withAddress } from '../running-options.ts'
import { terminal } from '../terminal.ts'

interface MailboxOptions extends EmulatorAddress {
  readonly project: string | undefined
  readonly to: string | undefined
  readonly channel: MailboxMessage['channel'] | undefined
  readonly limit: number
  /** Seconds. */
  readonly wait: number | undefined
  readonly code: boolean
  readonly link: boolean
  readonly json: boolean
  readonly clear: boolean
}

const NO_MESSAGE_EXIT_CODE = 2
const DEFAULT_WAIT_SECONDS = 60
/**
 * Longest time that one request waits for a message, in wall-clock milliseconds. For a longer `--wait`, the command sends
 * further requests.
 */
const ROUND_MILLIS = 30_000

export function mailboxCommand(): Command {
  return withAddress(new Command('mailbox'))
    .description('show the messages that a running emulator recorded, or wait for the next one')
    .option('--project <slug>', 'select messages of this tenant (default: all)')
    .option(
      '--to <recipient>',
      'select messages to this e-mail address or telephone number (default: all)',
    )
    .addOption(
      new Option('--channel <channel>', 'select messages of this channel (default: all)').choices(
        MESSAGE_CHANNELS,
      ),
    )
    .option('--limit <number>', 'show this many of the newest messages', parseCount, 20)
    .addOption(
      new Option('--wait [seconds]', 'print the newest unread message, or wait for the next one')
        .preset(String(DEFAULT_WAIT_SECONDS))
        .argParser(parseSeconds),
    )
    .addOption(new Option('--code', 'print only the code').default(false).conflicts('link'))
    .addOption(new Option('--link', 'print only the link').default(false))
    .addOption(
      new Option('--json', 'print the answer of the emulator’s API')
        .default(false)
        .conflicts(['code', 'link']),
    )
    .addOption(
      new Option('--clear', 'remove all messages, or those of --project')
        .default(false)
        .conflicts(['to', 'channel', 'wait', 'code', 'link']),
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 a message was printed, 1 a failure such as no emulator, 2 there was no message.',
    )
    .action((options: MailboxOptions) => run(options))
}

async function run(options: MailboxOptions): Promise<void> {
  const emulator = emulatorOf(options)
  if (options.clear) return clear(emulator, options)
  if (options.wait !== undefined) return printOne(options, await waitForNext(emulator, options))
  const isOne = options.code || options.link
  const page = await emulator.call('GET /mailbox', {
    query: { ...filterOf(options), limit: isOne ? 1 : options.limit },
  })
  if (isOne) return printOne(options, page.messages[0])
  print(options.json ? JSON.stringify(page) : mailboxLines(page.messages))
  if (page.messages.length === 0) terminal().exitCode = NO_MESSAGE_EXIT_CODE
}

async function clear(emulator: RunningEmulator, options: MailboxOptions): Promise<void> {
  const { project } = options
  const answer = await emulator.call('DELETE /mailbox', { query: { project } })
  print(
    options.json
      ? JSON.stringify(answer)
      : `Removed ${answer.deleted} ${answer.deleted === 1 ? 'message' : 'messages'}.`,
  )
}

async function waitForNext(
  emulator: RunningEmulator,
  options: MailboxOptions,
): Promise<MailboxMessage | undefined> {
  const clock = new SystemClock()
  const deadline = clock.now() + (options.wait ?? 0) * 1_000
  for (;;) {
    const left = Math.max(0, deadline - clock.now())
    const message = await emulator.call('GET /mailbox/next', {
      query: { ...filterOf(options), timeout_ms: Math.min(left, ROUND_MILLIS) },
    })
    if (message !== undefined || left <= ROUND_MILLIS) return message
  }
}

function filterOf({ project, to, channel, code, link }: MailboxOptions) {
  const carries = code ? 'code' : link ? 'link' : undefined
  return { project, to, channel, with: carries } as const
}

function printOne(options: MailboxOptions, message: MailboxMessage | undefined): void {
  if (message === undefined) {
    terminal().stderr.write(`tenantry: ${missing(options)}\n`)
    terminal().exitCode = NO_MESSAGE_EXIT_CODE
  } else if (options.code) print(message.code ?? '')
  else if (options.link) print(message.link ?? '')
  else print(options.json ? JSON.stringify(message) : messageLines(message))
}

function missing({ code, link, to, wait }: MailboxOptions): string {
  const what = `message${code ? ' with a code' : ''}${link ? ' with a link' : ''}`
  const whom = to === undefined ? '' : ` to ${to}`
  return wait === undefined
    ? `There is no ${what}${whom} in the mailbox.`
    : `No ${what}${whom} came within ${wait} seconds.`
}

function print(text: string): void {
  terminal().stdout.write(`${text}\n`)
}

/** Puts the newest message last, next to the prompt. */
export function mailboxLines(messages: readonly MailboxMessage[]): string {
  if (messages.length === 0) return 'The mailbox has no such messages.'
  return messages.toReversed().map(headLines).join('\n\n')
}

/** Formats one message with its full text. */
export function messageLines(message: MailboxMessage): string {
  return `${headLines(message)}\n\n${indented(message.text)}`
}

function headLines(message: MailboxMessage): string {
  const { id, sent_at: sentAt, channel, to, schema_name: schemaName, subject, code, link } = message
  return [
    `${message.is_read ? ' ' : '*'} ${id}  ${sentAt}  ${channel} to ${printable(to)}  ${schemaName}`,
    `    ${subject ?? message.purpose}`,
    ...(code === null ? [] : [`    code  ${printable(code)}`]),
    ...(link === null ? [] : [`    link  ${printable(link)}`]),
  ].join('\n')
}

function indented(text: string): string {
  return text
    .split('\n')
    .map((line) => (line === '' ? '' : `    ${printable(line)}`))
    .join('\n')
}
