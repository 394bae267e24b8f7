// Says what every refusal of the platform means and what to do about it. The inspector shows these texts beside a refused
// request, and injected faults answer with them.
import type { ChainLink } from '../../contract/explain.ts'
import type { DiskFailureCode } from '../../core/disk-failure.ts'

export interface Advice {
  /** The link of the explanation chain that the refusal breaks, if the explanation finds no more exact one. */
  readonly link: ChainLink['link']
  /** What happened and why the request was refused. */
  readonly cause: string
  /** What the reader can do about the refusal. */
  readonly todo: string
}

export function advice(link: Advice['link'], cause: string, todo: string): Advice {
  return { link, cause, todo }
}

/** Advice for the errors that every service returns when the disk fails. */
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

/** Advice for the error that every service returns while the database is unavailable. */
export const UNAVAILABLE: Advice = advice(
  'fault',
  'The database was busy with other work, or was restarting.',
  'Repeat the request after the number of seconds in the header Retry-After.',
)

/** Advice for an internal error of the emulator. */
export function internalFailure(service: string): Advice {
  return advice(
    'fault',
    `${service} failed with an internal error.`,
    'Look for the request’s id in the terminal of the emulator: the cause is logged there.',
  )
}
