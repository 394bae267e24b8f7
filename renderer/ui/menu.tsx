// A button that opens a menu of actions.
import { Menu as Base } from '@base-ui/react/menu'
import { type ReactElement, type ReactNode, use } from 'react'
import { cx } from './cx.ts'
import { Kbd } from './kbd.tsx'
import { POPUP, POPUP_ITEM, PopupPlace } from './popup.ts'
import { ServerGoneContext } from './server-gone.ts'

export interface MenuAction {
  readonly label: string
  readonly onSelect: () => void
  readonly icon?: ReactNode
  readonly keys?: string
  readonly tone?: 'plain' | 'danger'
  readonly isDisabled?: boolean
}

export interface MenuProps {
  /** The button that opens the menu: a Button or IconButton. */
  readonly trigger: ReactElement
  readonly items: readonly (MenuAction | 'line')[]
  readonly align?: 'start' | 'end'
}

export function Menu({ trigger, items, align = 'start' }: MenuProps): ReactElement {
  const place = use(PopupPlace)
  return (
    <Base.Root>
      <Base.Trigger render={trigger} />
      <Base.Portal container={place}>
        <Base.Positioner align={align} sideOffset={4} className="z-40">
          <Base.Popup className={cx(POPUP, 'min-w-44')}>
            {items.map((item, index) =>
              item === 'line' ? (
                // biome-ignore lint/suspicious/noArrayIndexKey: separators have no id
                <Base.Separator key={`line-${index}`} className="my-1 border-t" />
              ) : (
                <Item key={item.label} {...item} />
              ),
            )}
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

function Item({ label, onSelect, icon, keys, tone, isDisabled = false }: MenuAction): ReactElement {
  const isGone = use(ServerGoneContext)
  return (
    <Base.Item
      onClick={onSelect}
      disabled={isDisabled || isGone}
      className={cx(POPUP_ITEM, tone === 'danger' && 'text-refused [&_svg]:text-refused')}
    >
      {icon}
      <span className="flex-1">{label}</span>
      {keys !== undefined && <Kbd keys={keys} />}
    </Base.Item>
  )
}
