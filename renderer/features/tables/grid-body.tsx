// The rows in view: only they exist.
import type { VirtualItem } from '@tanstack/react-virtual'
import type { ReactElement } from 'react'
import type { Cursor } from '../../parts/grid-cursor.ts'
import { type Drawn, Row } from './grid-row.tsx'
import type { GridRow } from './grid-rows.ts'

export interface GridBodyProps extends Drawn {
  readonly rows: readonly GridRow[]
  readonly selected: ReadonlySet<string>
  readonly openId: string | undefined
  readonly items: readonly VirtualItem[]
  readonly height: number
  readonly cursor: Cursor
  readonly isEditing: boolean
}

export function GridBody(props: GridBodyProps): ReactElement {
  const { tenant, as, structure, template, actions, cursor } = props
  return (
    <div role="rowgroup" style={{ height: props.height }} className="relative w-max min-w-full">
      {/* Gives the row group its width: what is placed absolutely does not. */}
      <div aria-hidden style={{ gridTemplateColumns: template }} className="grid h-0" />
      {props.items.map(({ key, index, start }) => {
        const row = props.rows[index]
        const isHere = cursor.row === index
        return (
          row && (
            <Row
              key={key}
              tenant={tenant}
              as={as}
              structure={structure}
              template={template}
              actions={actions}
              row={row}
              index={index}
              start={start}
              isOpen={props.openId === row.id}
              isSelected={props.selected.has(row.id)}
              hereColumn={isHere ? cursor.column : undefined}
              isEditing={isHere && props.isEditing}
            />
          )
        )
      })}
    </div>
  )
}
