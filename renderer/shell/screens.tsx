// The screens with their addresses, labels and keys, for the rail, the palette and the keyboard.
import {
  Archive,
  Building2,
  Camera,
  Clock,
  FlaskConical,
  House,
  Inbox,
  KeyRound,
  ListTree,
  Radio,
  ShieldCheck,
  SquareTerminal,
  Table2,
  Users,
  Zap,
} from 'lucide-react'
import type { ComponentType } from 'react'

/** Addresses that need no tenant. */
export type PlainAddress =
  | '/'
  | '/tenants'
  | '/requests'
  | '/tokens'
  | '/mailbox'
  | '/clock'
  | '/faults'
  | '/snapshots'
  | '/fixtures'

/** Addresses below a tenant. */
export type TenantAddress =
  | '/t/$tenant/tables'
  | '/t/$tenant/sql'
  | '/t/$tenant/policies'
  | '/t/$tenant/users'
  | '/t/$tenant/storage'
  | '/t/$tenant/realtime'

export interface Screen {
  readonly to: PlainAddress | TenantAddress
  readonly label: string
  /** The key after `g` that opens it. */
  readonly letter: string
  readonly icon: ComponentType<{ readonly className?: string }>
}

export interface ScreenGroup {
  readonly label: string
  readonly screens: readonly Screen[]
}

export const SCREEN_GROUPS: readonly ScreenGroup[] = [
  {
    label: 'Platform',
    screens: [
      { to: '/', label: 'Home', letter: 'h', icon: House },
      { to: '/tenants', label: 'Groups and tenants', letter: 'g', icon: Building2 },
    ],
  },
  {
    label: 'Tenant',
    screens: [
      { to: '/t/$tenant/tables', label: 'Tables', letter: 't', icon: Table2 },
      { to: '/t/$tenant/sql', label: 'SQL console', letter: 's', icon: SquareTerminal },
      { to: '/t/$tenant/policies', label: 'Policies', letter: 'p', icon: ShieldCheck },
      { to: '/t/$tenant/users', label: 'Users', letter: 'u', icon: Users },
      { to: '/t/$tenant/storage', label: 'Storage', letter: 'o', icon: Archive },
      { to: '/t/$tenant/realtime', label: 'Realtime', letter: 'r', icon: Radio },
    ],
  },
  {
    label: 'Traffic',
    screens: [
      { to: '/requests', label: 'Requests', letter: 'q', icon: ListTree },
      { to: '/tokens', label: 'Tokens', letter: 'k', icon: KeyRound },
      { to: '/mailbox', label: 'Mailbox', letter: 'm', icon: Inbox },
    ],
  },
  {
    label: 'World',
    screens: [
      { to: '/clock', label: 'Clock', letter: 'c', icon: Clock },
      { to: '/faults', label: 'Faults', letter: 'f', icon: Zap },
      { to: '/snapshots', label: 'Snapshots', letter: 'n', icon: Camera },
      { to: '/fixtures', label: 'Fixtures', letter: 'x', icon: FlaskConical },
    ],
  },
]

export const SCREENS: readonly Screen[] = SCREEN_GROUPS.flatMap(({ screens }) => screens)

export function isTenantAddress(to: Screen['to']): to is TenantAddress {
  return to.startsWith('/t/$tenant/')
}
