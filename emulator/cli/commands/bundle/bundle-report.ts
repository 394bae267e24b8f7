// Texts of `tenantry bundle` and `tenantry open`. Pure.

import type { ReadyLine } from '../../../contract/addresses.ts'
import type { OpenedBundle } from '../../../contract/bundles.ts'
import { printable } from '../../../core/printable.ts'
import type { Manifest } from '../../../workflow/bundles/manifest.ts'

/** Says what a new bundle contains, and who may have it. */
export function contentsOf({ request_id, requests, state }: Manifest, sizeBytes: number): string {
  const size =
    sizeBytes < 100_000
      ? `${Math.ceil(sizeBytes / 1_000)} kB`
      : `${(sizeBytes / 1_000_000).toFixed(1)} MB`
  const inside = [
    state === null ? 'no state' : `state of ${counted(state.tenants, 'tenant')}`,
    counted(requests, 'request'),
  ]
  return [
    `${size}, ${inside.join(', ')}.`,
    ...(request_id === null ? [] : [`It opens at the request ${request_id}.`]),
    ...leftOut(state?.objects_left_out ?? 0),
    state === null
      ? 'It contains bodies and rows of requests, with masked credentials. Check them before you send the file.'
      : 'It contains keys, users and rows of this emulator. Send it only to people who may have them.',
  ].join('\n')
}

/** What `tenantry open` prints when it is ready. */
export function openedLines(bundle: OpenedBundle, ready: ReadyLine): string {
  const { file, has_state, made_at, made_by, note, objects_left_out, requests } = bundle
  const from = `made by Tenantry ${made_by} at ${made_at}`
  return [
    `Opened ${printable(file)}: ${has_state ? 'state and ' : ''}${counted(requests, 'request')}, ${printable(from)}.`,
    ...(note === null ? [] : [`Note: ${printable(note)}`]),
    ...leftOut(objects_left_out),
    '',
    ...requestLine(bundle, ready),
    `  inspector  ${ready.inspector_url}`,
    `  Postgres   ${ready.postgres_url ?? 'not listening'}`,
    '',
    'All data is in a temporary folder. Press Ctrl-C to stop and remove it.',
    '',
  ].join('\n')
}

/** The inspector's page of the request at which the bundle opens. */
export function requestUrl(
  { request_id }: OpenedBundle,
  { inspector_url }: ReadyLine,
): string | null {
  return request_id === null ? null : `${inspector_url}requests/${encodeURIComponent(request_id)}`
}

function requestLine(bundle: OpenedBundle, ready: ReadyLine): readonly string[] {
  const url = requestUrl(bundle, ready)
  return url === null ? [] : [`  request    ${url}`]
}

function leftOut(count: number): readonly string[] {
  return count === 0
    ? []
    : [`${counted(count, 'stored file')} left out, because all files together exceed 64 MB.`]
}

function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`
}
