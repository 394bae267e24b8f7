// The kinds of a tenant's columns, so that recorded changes show values as the grid does.
import { useMemo } from 'react'
import type { TableStructure } from '../../../emulator/contract/tables.ts'
import { useStructure } from '../../api/tables.ts'
import { type CellKind, kindOfType } from '../cell-kind.ts'

export type ColumnKinds = ReadonlyMap<string, CellKind>

/** Returns the kinds of the columns by table. Is empty until the structure has loaded, and while `tenant` is undefined. */
export function useColumnKinds(tenant: string | undefined): ReadonlyMap<string, ColumnKinds> {
  const { data } = useStructure(tenant)
  return useMemo(
    () => new Map((data?.tables ?? []).map((table) => [table.name, kindsOf(table)])),
    [data],
  )
}

export function kindsOf({ columns }: Pick<TableStructure, 'columns'>): ColumnKinds {
  return new Map(columns.map(({ choices, name, type }) => [name, kindOfType(type, choices)]))
}
