// Shows the contents of a folder, with the open object beside the list. Objects that the identity may not see appear
// dimmed.
import { FolderOpen } from 'lucide-react'
import { type ReactElement, useCallback, useMemo, useState } from 'react'
import { type Bucket, FOLDER_PAGE, type ObjectPlace, useFolder } from '../../api/storage.ts'
import { STORAGE_OWNER } from '../../api/storage-door.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { DropArea, type DroppedFile } from './drop-area.tsx'
import { PLACEHOLDER, type ShownEntry, shownEntries, usableName, versionOf } from './entries.ts'
import { DeleteEntries } from './entry-dialogs.tsx'
import { FolderToolbar } from './folder-toolbar.tsx'
import { objectColumns } from './object-columns.tsx'
import { ObjectSheet } from './object-sheet.tsx'
import { ObjectTiles } from './object-tiles.tsx'
import { UploadList } from './upload-list.tsx'
import type { StorageAddress } from './use-storage-address.ts'
import type { Uploads } from './use-uploads.ts'

export function FolderView(props: {
  readonly address: StorageAddress
  readonly bucket: Bucket
  readonly buckets: readonly Bucket[]
  readonly uploads: Uploads
}): ReactElement {
  const { address, bucket, buckets, uploads } = props
  const { tenant, identity, isOwner, folder, object } = address
  const all = useFolder(tenant, STORAGE_OWNER, bucket.id, folder)
  const seen = useFolder(tenant, identity, bucket.id, folder)
  const [picked, setPicked] = useState<ReadonlySet<string>>(new Set())
  const [leaving, setLeaving] = useState<readonly string[]>([])
  const place = { project: tenant, identity, bucket: bucket.id }
  const placeOf = (key: string): ObjectPlace => ({ ...place, key })
  const entries = useMemo(
    () => shownEntries(all.data ?? [], isOwner ? undefined : seen.data, folder),
    [all.data, seen.data, isOwner, folder],
  )
  const upload = (files: readonly DroppedFile[]) =>
    uploads.add(
      place,
      files.map(({ path, file }) => ({ file, key: folder + usablePath(path) })),
    )
  return (
    <>
      <FolderToolbar
        address={address}
        pickedCount={picked.size}
        onFiles={(files) => upload(files.map((file) => ({ path: file.name, file })))}
        onNewFolder={(name) =>
          uploads.add(place, [{ key: `${folder}${name}/${PLACEHOLDER}`, file: new Blob([]) }])
        }
        onDelete={() => setLeaving([...picked])}
      />
      <SheetLayout
        sheet={
          object === undefined ? undefined : (
            <ObjectSheet
              key={`${bucket.id} ${object} ${identityLabel(identity)}`}
              place={placeOf(object)}
              version={versionOf(object, all.data && entries, folder)}
              bucket={bucket}
              buckets={buckets}
              onDelete={() => setLeaving([object])}
              onMoved={(to, key) => address.openObject(to === address.bucket ? key : undefined)}
              onClose={() => address.openObject(undefined)}
            />
          )
        }
      >
        <DropArea label={`Drop to upload to ${address.bucket}/${folder}`} onDrop={upload}>
          <Entries
            address={address}
            entries={all.data && seen.data && entries}
            error={all.error ?? seen.error}
            onRetry={() => void Promise.all([all.refetch(), seen.refetch()])}
            placeOf={placeOf}
            picked={picked}
            onPick={setPicked}
          />
        </DropArea>
      </SheetLayout>
      {(all.data?.length ?? 0) >= FOLDER_PAGE && (
        <p role="note" className="border-t px-4 py-1 text-small text-ink-dim">
          Shows the first {FOLDER_PAGE} objects and folders of this folder.
        </p>
      )}
      <UploadList uploads={uploads} />
      <DeleteEntries
        place={place}
        keys={leaving}
        onClose={() => setLeaving([])}
        onDone={() => {
          setLeaving([])
          setPicked(new Set())
          address.openObject(undefined)
        }}
      />
    </>
  )
}

interface EntriesProps {
  readonly address: StorageAddress
  /** The entries are `undefined` while they load. */
  readonly entries: readonly ShownEntry[] | undefined
  readonly error: unknown
  readonly onRetry: () => void
  readonly placeOf: (key: string) => ObjectPlace
  readonly picked: ReadonlySet<string>
  readonly onPick: (picked: ReadonlySet<string>) => void
}

function Entries(props: EntriesProps): ReactElement {
  const { address, entries, error, onRetry, placeOf, picked, onPick } = props
  const { openFolder, openObject } = address
  const open = useCallback(
    (entry: ShownEntry) => (entry.isFolder ? openFolder(entry.key) : openObject(entry.key)),
    [openFolder, openObject],
  )
  const who = identityLabel(address.identity)
  const columns = useMemo(() => objectColumns(who, open), [who, open])
  if (error !== null)
    return <Failed title="Could not list the folder" error={error} retry={onRetry} />
  if (entries === undefined) return <Loading label="Loading objects" lines={8} />
  if (entries.length === 0)
    return (
      <EmptyState
        icon={<FolderOpen />}
        title="No objects yet"
        detail="Objects appear here. Drop files anywhere on this list to upload them."
      />
    )
  if (address.hasTiles)
    return (
      <ObjectTiles
        entries={entries}
        selected={address.object}
        placeOf={({ key }) => placeOf(key)}
        onOpen={open}
      />
    )
  return (
    <DataGrid
      label="Objects"
      name="objects"
      columns={columns}
      rows={entries}
      rowKey={({ key }) => key}
      rowHeight={32}
      selected={address.object}
      isHidden={({ isHidden }) => isHidden}
      picking={{ picked, onPick, labelOf: ({ name }) => `Select ${name}` }}
      onSelect={(key, { isFolder }) => isFolder || openObject(key)}
      onOpen={open}
      isFirst
    />
  )
}

function usablePath(path: string): string {
  return path.split('/').map(usableName).join('/')
}
