// Writes a request as JavaScript that sends it with `fetch`. Pure.
import {
  type CopiedRequest,
  type CurlCredentials,
  sentHeaders,
  WANTED_CREDENTIAL,
} from './curl-command.ts'

/** @param origin address of the emulator, e.g. `http://127.0.0.1:7357` */
export function fetchCode(
  { entry, recording }: CopiedRequest,
  origin: string,
  { token, apikey }: CurlCredentials,
): string {
  const headers = sentHeaders(recording).map(([name, value]) => {
    const lower = name.toLowerCase()
    if (lower === 'authorization') return [lower, `Bearer ${token ?? WANTED_CREDENTIAL}`]
    return [lower, lower === 'apikey' ? (apikey ?? 'put the project’s key here') : value]
  })
  const all =
    recording === null ? [['authorization', `Bearer ${token ?? WANTED_CREDENTIAL}`]] : headers
  const lines = [
    `const answer = await fetch(${quotedText(origin + entry.target)}, {`,
    ...requestInit(entry.method, Object.fromEntries(all), bodyText(recording)),
    '})',
    'console.log(answer.status, await answer.text())',
  ]
  return `${lines.join('\n')}\n`
}

/** Writes the members of the options of `fetch`, one per line. */
export function requestInit(
  method: string,
  headers: Readonly<Record<string, string>>,
  body: string | undefined,
): readonly string[] {
  const names = Object.entries(headers)
  return [
    ...(method === 'GET' ? [] : [`  method: ${quotedText(method)},`]),
    ...(names.length === 0
      ? []
      : [
          '  headers: {',
          ...names.map(([name, value]) => `    ${memberName(name)}: ${quotedText(value)},`),
          '  },',
        ]),
    ...(body === undefined ? [] : [`  body: ${quotedText(body)},`]),
  ]
}

export function bodyText(recording: CopiedRequest['recording']): string | undefined {
  const text = recording?.request_body.text
  return text === null || text === '' ? undefined : text
}

function memberName(name: string): string {
  return /^[a-z_]\w*$/i.test(name) ? name : quotedText(name)
}

/** Writes a text as a JavaScript literal with single quotes. */
export function quotedText(text: string): string {
  return `'${JSON.stringify(text).slice(1, -1).replaceAll('\\"', '"').replaceAll("'", "\\'")}'`
}
