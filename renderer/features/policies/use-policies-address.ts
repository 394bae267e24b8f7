// Reads and changes the address of the policies screen.
import { getRouteApi, useParams } from '@tanstack/react-router'
import type { IdentityReference } from '../../../emulator/contract/identities.ts'
import type { RowCommand } from '../../../emulator/contract/values.ts'
import { identityText, parseIdentityText } from '../../parts/identity-text.ts'
import type { RowCells } from '../../parts/row-form.tsx'
import { parseRowKeyText, type RowKey } from '../../parts/row-key.ts'
import { useChangeSearch } from '../../parts/search.ts'
import type { EditKind, PoliciesSearch, PoliciesView } from './policies-search.ts'

const route = getRouteApi('/t/$tenant/policies')

export interface PolicyEdit {
  readonly kind: EditKind
  readonly policy: string | undefined
}

export interface PoliciesAddress {
  readonly tenant: string
  readonly table: string | undefined
  readonly search: PoliciesSearch
  readonly view: PoliciesView
  readonly command: RowCommand
  readonly identity: IdentityReference | undefined
  readonly openKey: RowKey | undefined
  readonly show: (view: PoliciesView) => void
  readonly ask: (command: RowCommand) => void
  /** Sets the row to insert, or the columns that an update changes. */
  readonly write: (cells: RowCells | undefined) => void
  readonly editing: PolicyEdit | undefined
  /** Opens the editor, or closes it. */
  readonly edit: (edit: PolicyEdit | undefined) => void
  /** `row` is a key in the format of row-key.ts. A call with `undefined` closes the sheet. */
  readonly openRow: (row: string | undefined, identity?: IdentityReference) => void
}

export function usePoliciesAddress(): PoliciesAddress {
  const { tenant } = route.useParams()
  const { table } = useParams({ strict: false })
  const search = route.useSearch()
  const change = useChangeSearch<PoliciesSearch>()
  return {
    tenant,
    table,
    search,
    view: search.view ?? 'rules',
    command: search.command ?? 'select',
    identity: parseIdentityText(search.as),
    openKey: parseRowKeyText(search.row),
    show: (view) => change({ view: view === 'rules' ? undefined : view, row: undefined }),
    ask: (command) =>
      change({
        command: command === 'select' ? undefined : command,
        row: undefined,
        set: undefined,
      }),
    write: (set) => change({ set }),
    editing: search.edit && { kind: search.edit, policy: search.policy },
    edit: (edit) => change({ edit: edit?.kind, policy: edit?.policy }),
    openRow: (row, identity) =>
      change({ row, ...(identity === undefined ? {} : { as: identityText(identity) }) }, true),
  }
}
