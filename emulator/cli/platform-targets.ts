// The addresses of a platform that runs elsewhere, from the options of `record` and `conformance`.
import { EmulatorError } from '../core/errors.ts'
import type { Plane } from '../workflow/traffic/har/har.ts'
import { basesOf, type PlaneBases } from '../workflow/traffic/planes.ts'
import type { TargetOptions } from './target-options.ts'

export interface PlatformTargets {
  readonly bases: PlaneBases
  /** Only the addresses that an option sets explicitly. */
  readonly given: Partial<PlaneBases>
}

class TargetError extends EmulatorError {
  override readonly code = 'invalid_address'
}

/** @throws {TargetError} for a text that is not an address */
export function platformTargets(options: TargetOptions): PlatformTargets {
  const stated: readonly [Plane, string, string | undefined][] = [
    ['data', '--data-target', options.dataTarget],
    ['storage', '--storage-target', options.storageTarget],
    ['realtime', '--realtime-target', options.realtimeTarget],
  ]
  const given: Partial<PlaneBases> = Object.fromEntries(
    stated.flatMap(([plane, option, url]) =>
      url === undefined ? [] : [[plane, addressOf(option, url)]],
    ),
  )
  return { bases: basesOf(addressOf('--target', options.target), given), given }
}

function addressOf(option: string, url: string): string {
  if (/^(https?|wss?):\/\//.test(url) && URL.canParse(url)) return url
  throw new TargetError(
    `${option} ${url} is not a valid address. Write it like https://auth.example.com.`,
  )
}
