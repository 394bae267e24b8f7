// Says how many rows an identity sees only after a change, and how many it no longer sees. Pure.
import type { VisibilityChange } from '../../emulator/contract/rehearsals.ts'
import { countOf } from '../ui/form-values.ts'

type Counts = Pick<VisibilityChange, 'gained' | 'has_key' | 'identity' | 'lost'>

export function visibilityWords({ gained, has_key: hasKey, identity, lost }: Counts): string {
  // Without a key, a row with a new value looks like a lost row and a gained row.
  if (!hasKey && gained > 0 && lost > 0)
    return `${identity} sees other rows: ${countOf(gained, 'row')} new or changed, ${countOf(lost, 'row')} gone or changed. The rows have no key, so they cannot be matched.`
  const parts = [
    ...(gained === 0 ? [] : [`sees ${countOf(gained, 'more row')}`]),
    ...(lost === 0 ? [] : [`no longer sees ${countOf(lost, 'row')}`]),
  ]
  return `${identity} ${parts.join(' and ')}`
}
