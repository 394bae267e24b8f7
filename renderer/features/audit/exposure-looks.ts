// The colours of an audit's cell for each kind of exposure.
import type { Exposure } from '../../parts/exposure.ts'

export const EXPOSURE_LOOKS: Readonly<Record<Exposure, string>> = {
  open: 'bg-refused/16 text-refused hover:bg-refused/24',
  wide: 'bg-clock/14 text-clock hover:bg-clock/22',
  usual: 'text-ink hover:bg-surface-2',
  none: 'text-ink-dim hover:bg-surface-2',
}
