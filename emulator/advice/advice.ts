// What every refusal of the platform means and what to do about it. The inspector shows these texts beside a refused
// request, and injected faults answer with them.
import type { ChainLink } from '../contract/explain.ts'
import type { DiskFailureCode } from '../core/disk-failure.ts'

export interface Advice {
  /** The link of a request's chain that such a refusal breaks, unless something more exact is found. */
  readonly link: ChainLink['link']
  /** What happened and why. */
  readonly cause: string
  /** What to do about it. */
  readonly todo: string
}

export function advice(link: Advice['link'], cause: string, todo: string): Advice {
  return { link, cause, todo }
}

/** Answers of every service for a failing disk. */
export const DISK_ADVICE: Readonly<Record<DiskFailureCode, Advice>> = {
  disk_full: advice(
    'fault',
    'The disk of the data directory is full. Nothing was stored.',
    'Free some space, then repeat the request.',
  ),
  disk_failed: advice(
    'fault',
    'The data directory cannot be written. Nothing was stored.',
    'Check the disk and the permissions of the directory, then repeat the request.',
  ),
}

/** Answers of every service while the database is not available. */
export const UNAVAILABLE: Advice = advice(
  'fault',
  'The database was busy with other work, or was restarting.',
  'Repeat the request after the number of seconds in the header Retry-After.',
)

/** A failure inside the emulator. */
export function internalFailure(service: string): Advice {
  return advice(
    'fault',
    `${service} failed with an internal error.`,
    'Look for the request’s id in the terminal of the emulator: the cause is logged there.',
  )
}
