// The list of screens with addresses, labels and keys. The rail, the palette and the keyboard shortcuts use it.
import {
  Archive,
  Building2,
  Camera,
  Clock,
  FileDiff,
  FlaskConical,
  Footprints,
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
  /** Further words about what the screen does, so that the user can find the screen in the palette. */
  readonly words: string
  readonly icon: ComponentType<{ readonly className?: string }>
}

export type TenantAddress = TenantScreen['path']

export interface Screen extends Look {
  readonly to: ScreenPath
  readonly label: string
}

/** The screens of one job. */
export interface ScreenGroup {
  readonly label: InspectorScreen['group']
  readonly screens: readonly Screen[]
}

const LOOKS: Readonly<Record<ScreenPath, Look>> = {
  '/': { letter: 'h', icon: House, words: 'start status health addresses keys' },
  '/tenants': {
    letter: 'g',
    icon: Building2,
    words: 'customers projects keys quota plan',
  },
  '/fleet': { letter: 'l', icon: Grid3x3, words: 'migrations steps versions drift rollout' },
  '/t/$tenant/tables': { letter: 't', icon: Table2, words: 'data rows records browse edit' },
  '/t/$tenant/map': { letter: 'd', icon: Workflow, words: 'diagram erd relations foreign keys' },
  '/t/$tenant/sql': { letter: 's', icon: SquareTerminal, words: 'query editor explain psql' },
  '/t/$tenant/policies': {
    letter: 'p',
    icon: ShieldCheck,
    words: 'rls row-level security rules grants why hidden',
  },
  '/t/$tenant/audit': { letter: 'a', icon: ScanEye, words: 'security exposure leaks advisor anon' },
  '/t/$tenant/users': {
    letter: 'u',
    icon: Users,
    words: 'accounts auth sign in impersonate sessions',
  },
  '/t/$tenant/storage': { letter: 'o', icon: Archive, words: 'files buckets objects uploads' },
  '/t/$tenant/realtime': {
    letter: 'r',
    icon: Radio,
    words: 'websocket channels changes broadcast presence',
  },
  '/requests': {
    letter: 'q',
    icon: ListTree,
    words: 'logs journal traffic http errors refused slow',
  },
  '/t/$tenant/follow': {
    letter: 'w',
    icon: Footprints,
    words: 'watch activity session stream history of a user',
  },
  '/compare': { letter: 'e', icon: FileDiff, words: 'differences recordings hosted replay' },
  '/tokens': {
    letter: 'k',
    icon: KeyRound,
    words: 'jwt paseto keys claims credentials decode mint',
  },
  '/mailbox': { letter: 'm', icon: Inbox, words: 'mail e-mail inbox codes links otp sms' },
  '/clock': { letter: 'c', icon: Clock, words: 'time expiry freeze advance' },
  '/faults': { letter: 'f', icon: Zap, words: 'errors chaos latency failures simulate inject' },
  '/snapshots': { letter: 'n', icon: Camera, words: 'backup restore reset state undo' },
  '/fixtures': { letter: 'x', icon: FlaskConical, words: 'seed demo data export load' },
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
