// Users: a project's end users. The address holds the search, the open user and the open part of the sheet.
import { useParams, useSearch } from '@tanstack/react-router'
import { UserRoundPlus } from 'lucide-react'
import { type ReactElement, useCallback, useDeferredValue, useMemo } from 'react'
import type { ProjectUser } from '../../../emulator/contract/users.ts'
import { useUsers } from '../../api/users.ts'
import { usePaletteActions } from '../../parts/palette-actions.ts'
import { useSetSearch } from '../../parts/search.ts'
import { Button } from '../../ui/button.tsx'
import { DataGrid } from '../../ui/data-grid.tsx'
import { Failed } from '../../ui/failed.tsx'
import { formatNumber } from '../../ui/format.ts'
import { Loading } from '../../ui/loading.tsx'
import { PageHeader } from '../../ui/page-header.tsx'
import { SearchField } from '../../ui/search-field.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { Toolbar } from '../../ui/toolbar.tsx'
import { NewUserSheet } from './new-user-sheet.tsx'
import { NoUsers } from './no-users.tsx'
import { useUserNews } from './use-user-news.ts'
import { USER_COLUMNS } from './user-columns.tsx'
import { UserSheet } from './user-sheet.tsx'
import { NEW_USER, type UsersSearch } from './users-search.ts'

export function UsersPage(): ReactElement {
  const { tenant } = useParams({ from: '/t/$tenant/users' })
  const search = useSearch({ from: '/t/$tenant/users' })
  const words = search.q ?? ''
  const list = useUsers(tenant, useDeferredValue(words))
  useUserNews(tenant)
  const users = useMemo(() => list.data?.pages.flatMap((page) => page.users) ?? [], [list.data])
  const total = list.data?.pages[0]?.total ?? 0
  const go = useSetSearch<UsersSearch>()
  const open = (user: string) => go({ ...search, user })
  usePaletteActions(
    useMemo(
      () => [
        { id: 'users.new', label: 'New user', group: 'Users', run: () => go({ user: NEW_USER }) },
      ],
      [go],
    ),
  )
  const close = useCallback(() => go({ q: words || undefined }), [go, words])
  return (
    <>
      <PageHeader
        title="Users"
        beside={list.data === undefined ? undefined : <span>{formatNumber(total)}</span>}
        actions={
          <Button
            tone="primary"
            icon={<UserRoundPlus aria-hidden="true" />}
            onClick={() => open(NEW_USER)}
          >
            New user
          </Button>
        }
      />
      <Toolbar label="Filter users">
        <SearchField
          label="Search users"
          placeholder="E-mail or telephone…"
          value={words}
          onChange={(q) => go({ ...search, q: q || undefined })}
          className="w-72"
        />
      </Toolbar>
      <SheetLayout
        sheet={
          <OpenSheet tenant={tenant} search={search} onSearch={go} onOpen={open} onClose={close} />
        }
      >
        {list.isPending ? (
          <Loading label="Loading users" lines={8} />
        ) : list.error !== null && users.length === 0 ? (
          <Failed
            title="The users could not be read"
            error={list.error}
            retry={() => void list.refetch()}
          />
        ) : (
          <DataGrid
            label="Users"
            name="users"
            columns={USER_COLUMNS}
            rows={users}
            rowKey={idOf}
            rowHeight={32}
            selected={search.user}
            onSelect={open}
            onEnd={() => {
              if (list.hasNextPage && !list.isFetchingNextPage) void list.fetchNextPage()
            }}
            isFirst
            empty={<NoUsers words={words} onNew={() => open(NEW_USER)} />}
          />
        )}
      </SheetLayout>
    </>
  )
}

interface OpenSheetProps {
  readonly tenant: string
  readonly search: UsersSearch
  readonly onSearch: (search: UsersSearch) => void
  readonly onOpen: (id: string) => void
  readonly onClose: () => void
}

function OpenSheet({
  tenant,
  search,
  onSearch,
  onOpen,
  onClose,
}: OpenSheetProps): ReactElement | undefined {
  const { user, part = 'profile' } = search
  if (user === undefined) return undefined
  if (user === NEW_USER) return <NewUserSheet tenant={tenant} onMade={onOpen} onClose={onClose} />
  return (
    <UserSheet
      key={`${tenant} ${user}`}
      tenant={tenant}
      id={user}
      part={part}
      onPart={(next) => onSearch({ ...search, part: next === 'profile' ? undefined : next })}
      onClose={onClose}
    />
  )
}

function idOf({ id }: ProjectUser): string {
  return id
}
