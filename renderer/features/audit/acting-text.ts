// The identity of an audit in the format of the address, with which its cells open other screens. Pure.
import type { AuditIdentity } from '../../../emulator/contract/audit.ts'
import { readableReference } from '../../parts/identity-choices.ts'
import { identityText } from '../../parts/identity-text.ts'

export function actingText({ label, reference }: AuditIdentity): string {
  return identityText(label.includes('@') ? readableReference(reference, label) : reference)
}
