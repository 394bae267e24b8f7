// The list of screens with addresses, labels and keys. The rail, the palette and the keyboard shortcuts use it.
import {
  Archive,
  Building2,
  Camera,
  Clock,
  FileDiff,
  FlaskConical,
  Grid3x3,
  House,
  Inbox,
  KeyRound,
  ListTree,
  Radio,
  ScanEye,
  ShieldCheck,
  SquareTerminal,
  Table2,
  Users,
  Workflow,
  Zap,
} from 'lucide-react'
import type { ComponentType } from 'react'
import {
  SCREENS as ADDRESSES,
  type InspectorScreen,
  type ScreenPath,
  type TenantScreen,
} from '../../emulator/contract/screens.ts'

interface Look {
  /** The letter that opens the screen after `g`. */
  readonly letter: string
  readonly icon: ComponentType<{ readonly className?: string }>
}

export type TenantAddress = TenantScreen['path']

export interface Screen extends Look {
  readonly to: ScreenPath
  readonly label: string
}

export interface ScreenGroup {
  readonly label: string
  readonly screens: readonly Screen[]
}

const LOOKS: Readonly<Record<ScreenPath, Look>> = {
  '/': { letter: 'h', icon: House },
  '/tenants': { letter: 'g', icon: Building2 },
  '/fleet': { letter: 'l', icon: Grid3x3 },
  '/t/$tenant/tables': { letter: 't', icon: Table2 },
  '/t/$tenant/map': { letter: 'd', icon: Workflow },
  '/t/$tenant/sql': { letter: 's', icon: SquareTerminal },
  '/t/$tenant/policies': { letter: 'p', icon: ShieldCheck },
  '/t/$tenant/audit': { letter: 'a', icon: ScanEye },
  '/t/$tenant/users': { letter: 'u', icon: Users },
  '/t/$tenant/storage': { letter: 'o', icon: Archive },
  '/t/$tenant/realtime': { letter: 'r', icon: Radio },
  '/requests': { letter: 'q', icon: ListTree },
  '/compare': { letter: 'e', icon: FileDiff },
  '/tokens': { letter: 'k', icon: KeyRound },
  '/mailbox': { letter: 'm', icon: Inbox },
  '/clock': { letter: 'c', icon: Clock },
  '/faults': { letter: 'f', icon: Zap },
  '/snapshots': { letter: 'n', icon: Camera },
  '/fixtures': { letter: 'x', icon: FlaskConical },
}

export const SCREEN_GROUPS: readonly ScreenGroup[] = [
  ...Map.groupBy<InspectorScreen['group'], InspectorScreen>(ADDRESSES, ({ group }) => group),
].map(([label, screens]) => ({
  label,
  screens: screens.map(({ path, label }) => ({ to: path, label, ...LOOKS[path] })),
}))

export const SCREENS: readonly Screen[] = SCREEN_GROUPS.flatMap(({ screens }) => screens)

export function isTenantAddress(to: ScreenPath): to is TenantAddress {
  return to.startsWith('/t/$tenant/')
}
