// Shows the X-ray of one row in a sheet: why the policies allow or refuse the command for the identity.
import { type ReactElement, useCallback } from 'react'
import { identityLabel } from '../../parts/identity-text.ts'
import { rowKeyLabel } from '../../parts/row-key.ts'
import { WhyPanel } from '../../parts/why-panel.tsx'
import { Sheet } from '../../ui/sheet.tsx'
import type { PoliciesAddress } from './use-policies-address.ts'

export interface XRaySheetProps {
  readonly address: PoliciesAddress
  readonly table: string
  readonly command: PoliciesAddress['command']
  /** The changed columns of an UPDATE. */
  readonly newRow?: PoliciesAddress['search']['set']
}

/** Shows the row and identity of the address, and renders nothing while no row is open. */
export function XRaySheet(props: XRaySheetProps): ReactElement | undefined {
  const { address, table, command, newRow } = props
  const { tenant, identity, openKey, openRow } = address
  const close = useCallback(() => openRow(undefined), [openRow])
  if (openKey === undefined || identity === undefined) return undefined
  return (
    <Sheet
      name="row"
      isBare
      width={560}
      label="X-ray"
      title={
        <>
          <span className="font-mono">
            {table} <span className="text-ink-dim">{rowKeyLabel(openKey)}</span>
          </span>{' '}
          <span className="font-normal text-ink-dim">for {identityLabel(identity)}</span>
        </>
      }
      onClose={close}
    >
      <div className="min-h-0 flex-1 overflow-auto">
        <WhyPanel
          tenant={tenant}
          question={{
            relation: table,
            identity,
            command,
            key: openKey,
            ...(newRow === undefined ? {} : { newRow }),
          }}
        />
      </div>
    </Sheet>
  )
}
