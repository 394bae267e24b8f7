// Writes the text and HTML of each message, with its code and link. Pure.
import { escapeHtml } from '../../core/escape-html.ts'
import { slugOf } from '../../core/names.ts'
import { DAY_MILLIS, HOUR_MILLIS, MINUTE_MILLIS } from '../../core/time.ts'
import { MESSAGE_MILLIS, type MessagePurpose, type OutgoingMessage } from './message.ts'

export interface MessageContent {
  /** Only an e-mail has a subject and `html`. Both are `undefined` on other channels. */
  readonly subject: string | undefined
  readonly text: string
  readonly html: string | undefined
}

/** Renders a message. The message names the project by the project's slug. */
export function composeMessage(message: OutgoingMessage): MessageContent {
  const { purpose, schemaName } = message
  const words = { ...WORDS[purpose](slugOf(schemaName)), lifetime: lifetimeOf(purpose) }
  if (message.channel !== 'email')
    return { subject: undefined, text: shortText(message, words), html: undefined }
  return { subject: words.subject, text: longText(message, words), html: html(message, words) }
}

interface PurposeWords {
  readonly subject: string
  /** Sentence that precedes the code and the link. */
  readonly opening: string
  /** Label of the link, as an imperative. */
  readonly action: string
  readonly unasked: string
}

interface Words extends PurposeWords {
  readonly lifetime: string
}

const UNITS = [
  [DAY_MILLIS, 'day'],
  [HOUR_MILLIS, 'hour'],
  [MINUTE_MILLIS, 'minute'],
] as const

function lifetimeOf(purpose: MessagePurpose): string {
  const millis = MESSAGE_MILLIS[purpose]
  const [size, unit] = UNITS.find(([each]) => millis >= each) ?? [MINUTE_MILLIS, 'minute']
  const count = millis / size
  return `It is good for ${count} ${unit}${count === 1 ? '' : 's'} and works once.`
}

const WORDS: Readonly<Record<MessagePurpose, (app: string) => PurposeWords>> = {
  confirmation: (app) => ({
    subject: `Confirm your e-mail address for ${app}`,
    opening: `Someone signed up for ${app} with this address.`,
    action: 'Confirm the address',
    unasked: 'If it was not you, ignore this message.',
  }),
  one_time_code: (app) => ({
    subject: `Your code for ${app}`,
    opening: `Here is your code for ${app}.`,
    action: 'Sign in',
    unasked: 'If you did not ask for it, ignore this message.',
  }),
  magic_link: (app) => ({
    subject: `Your sign-in link for ${app}`,
    opening: `Here is your link to sign in to ${app}.`,
    action: 'Sign in',
    unasked: 'If you did not ask for it, ignore this message.',
  }),
  password_reset: (app) => ({
    subject: `Choose a new password for ${app}`,
    opening: `Someone asked for a new password for your account at ${app}.`,
    action: 'Choose a new password',
    unasked: 'If it was not you, ignore this message: your password stays as it is.',
  }),
}

function longText({ code, link }: OutgoingMessage, words: Words): string {
  return [
    words.opening,
    ...(code === undefined ? [] : [`Code: ${code}`]),
    ...(link === undefined ? [] : [`${words.action}: ${link}`]),
    `${words.lifetime} ${words.unasked}`,
  ].join('\n\n')
}

function shortText({ code, link }: OutgoingMessage, words: Words): string {
  return [
    words.opening,
    ...(code === undefined ? [] : [`Code: ${code}.`]),
    ...(link === undefined ? [] : [`${words.action}: ${link}`]),
    words.lifetime,
  ].join(' ')
}

function html({ code, link }: OutgoingMessage, words: Words): string {
  return htmlPage(words.subject, [
    paragraph(words.opening),
    ...(code === undefined ? [] : [codeBlock(code)]),
    ...(link === undefined ? [] : [linkButton(words.action, link)]),
    paragraph(`${words.lifetime} ${words.unasked}`),
  ])
}

// Wraps parts made by the functions below in an HTML document: one narrow column without images, scripts or external resources.
function htmlPage(title: string, parts: readonly string[]): string {
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

function paragraph(text: string): string {
  return `<p style="margin:0 0 16px">${escapeHtml(text)}</p>`
}

function codeBlock(code: string): string {
  return `<p style="margin:0 0 16px;font:600 32px/1.2 ui-monospace,monospace;letter-spacing:6px">${escapeHtml(code)}</p>`
}

/** Renders a button, and below the button the address for copying. Leaves out the button if the address could run script. */
function linkButton(label: string, address: string): string {
  const shown = `<p style="margin:0 0 16px;font-size:13px;color:#5c5c56;overflow-wrap:anywhere">${escapeHtml(address)}</p>`
  if (isScript(address)) return shown
  return `<p style="margin:0 0 8px"><a href="${escapeHtml(address)}" target="_blank" rel="noopener noreferrer" style="display:inline-block;padding:10px 18px;border-radius:6px;background:#1f5c4a;color:#fff;text-decoration:none">${escapeHtml(label)}</a></p>\n${shown}`
}

function isScript(address: string): boolean {
  return (
    !URL.canParse(address) || /^(javascript|data|vbscript|blob):$/.test(new URL(address).protocol)
  )
}
