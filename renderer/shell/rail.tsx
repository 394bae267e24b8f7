// The jobs at the left, at most six. The open job shows its screens below it; the others show theirs on hover and focus, so that
// each screen is one click away. The user can collapse the rail to icons.
import { Link, useMatches } from '@tanstack/react-router'
import {
  ArrowLeftRight,
  Boxes,
  Database,
  Globe,
  House,
  type LucideIcon,
  PanelLeftClose,
  PanelLeftOpen,
  ShieldCheck,
} from 'lucide-react'
import type { ComponentProps, ReactElement } from 'react'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { useLastTable } from '../parts/last-table.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { POPUP } from '../ui/popup.ts'
import { useRemembered } from '../ui/remembered.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { useNarrowWindow } from '../ui/window-width.ts'
import { isTenantAddress, SCREEN_GROUPS, type Screen, type ScreenGroup } from './screens.tsx'

const JOB_ICONS: Readonly<Record<ScreenGroup['label'], LucideIcon>> = {
  Home: House,
  Data: Database,
  Access: ShieldCheck,
  Traffic: ArrowLeftRight,
  Fleet: Boxes,
  World: Globe,
}

export function Rail(): ReactElement {
  const [hasOnlyIcons, setOnlyIcons] = useRemembered('rail.narrow', false)
  const isNarrowWindow = useNarrowWindow()
  const isNarrow = hasOnlyIcons || isNarrowWindow
  const open: readonly string[] = useMatches({
    select: (matches) => matches.map(({ routeId }) => routeId),
  })
  return (
    <nav
      aria-label="Screens"
      className={cx(
        'flex shrink-0 flex-col border-r bg-surface-1 transition-[width]',
        isNarrow ? 'w-12' : 'w-52',
      )}
    >
      <ul className="flex min-h-0 flex-1 flex-col gap-1 px-2 py-3">
        {SCREEN_GROUPS.map((job) => (
          <Job
            key={job.label}
            job={job}
            isOpen={job.screens.some(({ to }) => open.includes(to))}
            isNarrow={isNarrow}
          />
        ))}
      </ul>
      {!isNarrowWindow && (
        <div className={cx('flex border-t p-2', isNarrow ? 'justify-center' : 'justify-end')}>
          <IconButton
            label={isNarrow ? 'Show screen names' : 'Show icons only'}
            icon={isNarrow ? <PanelLeftOpen /> : <PanelLeftClose />}
            onClick={() => setOnlyIcons(!hasOnlyIcons)}
          />
        </div>
      )}
    </nav>
  )
}

interface JobProps {
  readonly job: ScreenGroup
  readonly isOpen: boolean
  readonly isNarrow: boolean
}

function Job({ job, isOpen, isNarrow }: JobProps): ReactElement | undefined {
  const [first] = job.screens
  if (first === undefined) return undefined
  const Icon = JOB_ICONS[job.label]
  const isOne = job.screens.length === 1
  const head = (
    <ScreenLink
      screen={first}
      className={cx(LOOK, isNarrow && 'justify-center px-0', isOpen && 'font-strong text-ink!')}
      // For a job with several screens, the link of the open screen is marked instead.
      opened={isOne ? OPEN : {}}
    >
      <Icon className="size-4 shrink-0" />
      <span className={isNarrow ? 'sr-only' : 'truncate'}>{job.label}</span>
    </ScreenLink>
  )
  if (isOne) return <li>{withTip(first, head)}</li>
  return (
    <li className="group/job relative">
      {head}
      {isOpen ? (
        <ul className={cx('flex flex-col gap-[1px] py-1', !isNarrow && 'ml-3 border-l pl-2')}>
          {job.screens.map((screen) => (
            <li key={screen.to}>
              {withTip(screen, <Entry screen={screen} isNarrow={isNarrow} />)}
            </li>
          ))}
        </ul>
      ) : (
        <div className="invisible absolute top-0 left-full z-40 pl-2 opacity-0 transition-opacity group-focus-within/job:visible group-focus-within/job:opacity-100 group-hover/job:visible group-hover/job:opacity-100">
          <ul className={cx(POPUP, 'w-44')}>
            {job.screens.map((screen) => (
              <li key={screen.to}>
                <Entry screen={screen} isNarrow={false} />
              </li>
            ))}
          </ul>
        </div>
      )}
    </li>
  )
}

const LOOK = 'flex h-7 items-center gap-2 rounded-1 px-2 transition-colors'
const OPEN = { className: 'bg-surface-3 text-ink' }
const CLOSED = { className: 'text-ink-dim hover:bg-surface-2 hover:text-ink' }

function Entry(props: { readonly screen: Screen; readonly isNarrow: boolean }): ReactElement {
  const { screen, isNarrow } = props
  const Icon = screen.icon
  return (
    <ScreenLink
      screen={screen}
      className={cx(LOOK, isNarrow && 'justify-center px-0')}
      opened={OPEN}
      aria-keyshortcuts={`g ${screen.letter}`}
    >
      <Icon className="size-4 shrink-0" />
      <span className={isNarrow ? 'sr-only' : 'truncate'}>{screen.label}</span>
    </ScreenLink>
  )
}

function withTip({ label, letter }: Screen, link: ReactElement): ReactElement {
  return (
    <Tooltip text={label} keys={`g ${letter}`} side="right">
      {link}
    </Tooltip>
  )
}

/** The link gets all further properties, for example those of a tooltip. */
interface ScreenLinkProps extends Omit<ComponentProps<'a'>, 'href' | 'target'> {
  readonly screen: Screen
  /** Properties of the link to the open screen. */
  readonly opened: { readonly className?: string }
}

function ScreenLink({ screen, opened, ...rest }: ScreenLinkProps): ReactElement {
  const tenant = useCurrentTenant()
  const table = useLastTable(tenant)
  const shared = {
    ...rest,
    activeProps: opened,
    inactiveProps: CLOSED,
    activeOptions: { exact: screen.to === '/', includeSearch: false },
  } as const
  if (!isTenantAddress(screen.to)) return <Link {...shared} to={screen.to} />
  if (tenant === undefined) return <Link {...shared} to="/tenants" />
  if (screen.to === '/t/$tenant/tables' && table !== undefined)
    return <Link {...shared} to="/t/$tenant/tables/$table" params={{ tenant, table }} />
  return <Link {...shared} to={screen.to} params={{ tenant }} />
}
