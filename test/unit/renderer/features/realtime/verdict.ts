// Builds verdicts for tests of the realtime screen.
import type { ChangeVerdict } from '../../../../../emulator/contract/realtime.ts'

export function verdictWith(members: Partial<ChangeVerdict> = {}): ChangeVerdict {
  return {
    topic: 'realtime:desk',
    role: 'authenticated',
    subject: 'ana',
    verdict: 'delivered',
    policies: [],
    reason: null,
    latency_ms: 3,
    ...members,
  }
}
