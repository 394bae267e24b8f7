// Recognises what the user pasted into the palette: a credential, an error code, a status, an address or a curl command. Pure.

export type Paste =
  | { readonly kind: 'credential'; readonly credential: string }
  /** An SQLSTATE or a code of PostgREST, as the journal shows it. */
  | { readonly kind: 'code'; readonly code: string }
  | { readonly kind: 'status'; readonly status: string }
  /** A request, from an address or a curl command. The method is `undefined` when the text does not state it. */
  | { readonly kind: 'request'; readonly method: string | undefined; readonly path: string }
  /** An address of the inspector, without its base path. */
  | { readonly kind: 'screen'; readonly path: string }

const JWT = /\beyJ[\w-]+\.eyJ[\w-]+\.[\w-]*/
const PASETO = /\bv4\.public\.[\w-]+(?:\.[\w-]+)?/
const URL_TEXT = /\b(?:https?|wss?):\/\/[^\s'"]+/
const CODE = /^(?:(?=.*\d)[0-9A-Z]{5}|PGRST\d{3})$/
const STATUS = /^[1-5]\d\d$/
const METHOD = /(?:-X|--request)[\s=]*['"]?([A-Z]+)/
const BODY = /\s(?:-d|--data(?:-\w+)?|--json|-F|--form)[\s=]/
const INSPECTOR = '/_emulator'

/** Returns all meanings of the text. A curl command can contain a request and a credential. */
export function readPaste(text: string): readonly Paste[] {
  const typed = text.trim()
  if (STATUS.test(typed)) return [{ kind: 'status', status: typed }]
  if (CODE.test(typed)) return [{ kind: 'code', code: typed }]
  const credential = (JWT.exec(typed) ?? PASETO.exec(typed))?.[0]
  return [
    ...requestOf(typed),
    ...(credential === undefined ? [] : [{ kind: 'credential' as const, credential }]),
  ]
}

function requestOf(typed: string): readonly Paste[] {
  const address = URL_TEXT.exec(typed)?.[0]
  if (address === undefined || !URL.canParse(address)) return []
  const { pathname, search } = new URL(address)
  if (isInspector(pathname))
    return [{ kind: 'screen', path: (pathname.slice(INSPECTOR.length) || '/') + search }]
  return [{ kind: 'request', method: methodOf(typed), path: pathname }]
}

function isInspector(pathname: string): boolean {
  const isBelow = pathname === INSPECTOR || pathname.startsWith(`${INSPECTOR}/`)
  return isBelow && !pathname.startsWith(`${INSPECTOR}/v1/`)
}

function methodOf(typed: string): string | undefined {
  if (!/^curl\s/.test(typed)) return undefined
  return METHOD.exec(typed)?.[1] ?? (BODY.test(typed) ? 'POST' : 'GET')
}
