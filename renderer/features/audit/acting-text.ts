// Formats an identity of the audit for the address, so that a cell can open other screens as this identity. Pure.
import type { AuditIdentity } from '../../../emulator/contract/audit.ts'
import { readableReference } from '../../parts/identity-choices.ts'
import { identityText } from '../../parts/identity-text.ts'

export function actingText({ label, reference }: AuditIdentity): string {
  return identityText(label.includes('@') ? readableReference(reference, label) : reference)
}
