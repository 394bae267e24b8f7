// How a cell of the audit is coloured: the further the identity is from the data, the stronger the colour. Pure.
import type { AuditBucket, AuditIdentity, AuditSeen } from '../../../emulator/contract/audit.ts'

/**
 * `open`: a stranger reaches all, that is a holder of the anon key, or a user who owns nothing. `wide`: a stranger reaches a part.
 * `usual`: a user reaches something. `none`: nothing is reached, or by the service role, which reaches all.
 */
export type Exposure = 'open' | 'wide' | 'usual' | 'none'

export const EXPOSURE_LOOKS: Readonly<Record<Exposure, string>> = {
  open: 'bg-refused/16 text-refused hover:bg-refused/24',
  wide: 'bg-clock/14 text-clock hover:bg-clock/22',
  usual: 'text-ink hover:bg-surface-2',
  none: 'text-ink-dim hover:bg-surface-2',
}

export function exposureOfRows(identity: AuditIdentity, seen: AuditSeen): Exposure {
  return exposureOf(identity, seen === 'all' ? 'all' : seen === 'some' ? 'part' : 'none')
}

export function exposureOfFiles(
  identity: AuditIdentity,
  access: AuditBucket['access'][number],
): Exposure {
  return exposureOf(identity, access === 'none' ? 'none' : access === 'read' ? 'part' : 'all')
}

function exposureOf({ label, role }: AuditIdentity, reach: 'all' | 'part' | 'none'): Exposure {
  if (reach === 'none' || role === 'service_role') return 'none'
  const isStranger = label === 'anon' || label === 'new user'
  if (!isStranger) return 'usual'
  return reach === 'all' ? 'open' : 'wide'
}
