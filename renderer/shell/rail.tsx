// The list of screens at the left. The user can collapse it to icons.
import { Link } from '@tanstack/react-router'
import { PanelLeftClose, PanelLeftOpen } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'
import { useCurrentTenant } from '../parts/current-tenant.ts'
import { IconButton } from '../ui/button.tsx'
import { cx } from '../ui/cx.ts'
import { useRemembered } from '../ui/remembered.ts'
import { Tooltip } from '../ui/tooltip.tsx'
import { useNarrowWindow } from '../ui/window-width.ts'
import { isTenantAddress, SCREEN_GROUPS, type Screen } from './screens.tsx'

export function Rail(): ReactElement {
  const [hasOnlyIcons, setOnlyIcons] = useRemembered('rail.narrow', false)
  const isNarrowWindow = useNarrowWindow()
  const isNarrow = hasOnlyIcons || isNarrowWindow
  return (
    <nav
      aria-label="Screens"
      className={cx(
        'flex shrink-0 flex-col border-r bg-surface-1 transition-[width]',
        isNarrow ? 'w-12' : 'w-48',
      )}
    >
      <div className="flex min-h-0 flex-1 flex-col gap-3 overflow-x-hidden overflow-y-auto px-2 py-3">
        {SCREEN_GROUPS.map((group) => (
          <div key={group.label} className="flex flex-col gap-[1px]">
            <h2 className={isNarrow ? 'sr-only' : 'px-2 pb-1 text-small text-ink-dim'}>
              {group.label}
            </h2>
            {group.screens.map((screen) => (
              <RailLink key={screen.to} screen={screen} isNarrow={isNarrow} />
            ))}
          </div>
        ))}
      </div>
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

const LOOK = 'flex h-7 items-center gap-2 rounded-1 px-2 transition-colors'
const OPEN = { className: 'bg-surface-3 text-ink' }
const CLOSED = { className: 'text-ink-dim hover:bg-surface-2 hover:text-ink' }

function RailLink(props: { readonly screen: Screen; readonly isNarrow: boolean }): ReactElement {
  const { screen, isNarrow } = props
  const tenant = useCurrentTenant()
  const Icon = screen.icon
  const shared = {
    className: cx(LOOK, isNarrow && 'justify-center px-0'),
    activeProps: OPEN,
    inactiveProps: CLOSED,
    activeOptions: { exact: screen.to === '/', includeSearch: false },
    'aria-keyshortcuts': `g ${screen.letter}`,
    children: (
      <>
        <Icon className="size-4 shrink-0" />
        <span className={isNarrow ? 'sr-only' : 'truncate'}>{screen.label}</span>
      </>
    ) as ReactNode,
  } as const
  const link = isTenantAddress(screen.to) ? (
    tenant === undefined ? (
      <Link {...shared} to="/tenants" />
    ) : (
      <Link {...shared} to={screen.to} params={{ tenant }} />
    )
  ) : (
    <Link {...shared} to={screen.to} />
  )
  return (
    <Tooltip text={screen.label} keys={`g ${screen.letter}`} side="right">
      {link}
    </Tooltip>
  )
}
