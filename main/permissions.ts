// Decides which pages may use the bridge and where they may navigate. Only the pages of the running emulator and the app's own
// pages are allowed. Pure.
import type { NavigationVerdict } from './electron-port.ts'

/** The addresses that the app trusts: its own pages and the inspector. */
export interface OwnPlaces {
  /** Origin of the running emulator, or `undefined` while none runs. */
  readonly inspectorOrigin: string | undefined
  /** `file:` address of the folder that contains the app's own pages. The address ends in a slash. */
  readonly pagesUrl: string
}

/** Whether a page may use the bridge. */
export function mayAsk(senderUrl: string, places: OwnPlaces): boolean {
  return isOwnPage(senderUrl, places) || isInspector(senderUrl, places)
}

/** Decides whether a page may navigate to an address or open it in a window. */
export function judgeNavigation(url: string, places: OwnPlaces): NavigationVerdict {
  if (mayAsk(url, places)) return 'inside'
  const target = URL.parse(url)
  if (target === null || target.username !== '' || target.password !== '') return 'refused'
  return target.protocol === 'https:' ||
    target.protocol === 'http:' ||
    target.protocol === 'mailto:'
    ? 'outside'
    : 'refused'
}

function isInspector(url: string, { inspectorOrigin }: OwnPlaces): boolean {
  const target = URL.parse(url)
  return (
    target !== null &&
    inspectorOrigin !== undefined &&
    target.origin === inspectorOrigin &&
    (target.pathname === '/_emulator' || target.pathname.startsWith('/_emulator/'))
  )
}

function isOwnPage(url: string, { pagesUrl }: OwnPlaces): boolean {
  const target = URL.parse(url)
  return target !== null && target.protocol === 'file:' && target.href.startsWith(pagesUrl)
}
