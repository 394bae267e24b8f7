// Writes the text and HTML of each message, with its code and link. Pure.
import { slugOf } from '../core/names.ts'
import { codeBlock, htmlPage, linkButton, paragraph } from './html.ts'
import type { MessagePurpose, OutgoingMessage } from './message.ts'

export interface MessageContent {
  /** `undefined` on channels other than e-mail, like `html`. */
  readonly subject: string | undefined
  readonly text: string
  readonly html: string | undefined
}

/** Renders a message. The message names the project by the project's slug. */
export function composeMessage(message: OutgoingMessage): MessageContent {
  const words = WORDS[message.purpose](slugOf(message.schemaName))
  if (message.channel !== 'email')
    return { subject: undefined, text: shortText(message, words), html: undefined }
  return { subject: words.subject, text: longText(message, words), html: html(message, words) }
}

interface Words {
  readonly subject: string
  /** One sentence before the code and the link. */
  readonly opening: string
  /** What the link does, as an imperative. */
  readonly action: string
  readonly lifetime: string
  readonly unasked: string
}

const WORDS: Readonly<Record<MessagePurpose, (app: string) => Words>> = {
  confirmation: (app) => ({
    subject: `Confirm your e-mail address for ${app}`,
    opening: `Someone signed up for ${app} with this address.`,
    action: 'Confirm the address',
    lifetime: 'It is good for 1 day and works once.',
    unasked: 'If it was not you, ignore this message.',
  }),
  one_time_code: (app) => ({
    subject: `Your code for ${app}`,
    opening: `Here is your code for ${app}.`,
    action: 'Sign in',
    lifetime: 'It is good for 10 minutes and works once.',
    unasked: 'If you did not ask for it, ignore this message.',
  }),
  magic_link: (app) => ({
    subject: `Your sign-in link for ${app}`,
    opening: `Here is your link to sign in to ${app}.`,
    action: 'Sign in',
    lifetime: 'It is good for 1 hour and works once.',
    unasked: 'If you did not ask for it, ignore this message.',
  }),
  password_reset: (app) => ({
    subject: `Choose a new password for ${app}`,
    opening: `Someone asked for a new password for your account at ${app}.`,
    action: 'Choose a new password',
    lifetime: 'It is good for 1 hour and works once.',
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
