// A folder of a bucket: what is in it for the identity, what is hidden from them, and one object beside it.
import { FolderOpen } from 'lucide-react'
import { type ReactElement, useMemo, useState } from 'react'
import { type Bucket, FOLDER_PAGE, type ObjectPlace, useFolder } from '../../api/storage.ts'
import { STORAGE_OWNER } from '../../api/storage-door.ts'
import { identityLabel } from '../../parts/identity-text.ts'
import { DataGrid } from '../../ui/data-grid.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { Failed } from '../../ui/failed.tsx'
import { Loading } from '../../ui/loading.tsx'
import { SheetLayout } from '../../ui/sheet.tsx'
import { DeleteEntries } from './delete-entries.tsx'
import { DropArea, type DroppedFile } from './drop-area.tsx'
import { PLACEHOLDER, type ShownEntry, shownEntries, usableName, versionOf } from './entries.ts'
import { FolderToolbar } from './folder-toolbar.tsx'
import { objectColumns } from './object-columns.tsx'
import { ObjectSheet } from './object-sheet.tsx'
import { ObjectTiles } from './object-tiles.tsx'
import { UploadList } from './upload-list.tsx'
import type { StorageAddress } from './use-storage-address.ts'
import type { Uploads } from './use-uploads.ts'

export interface FolderViewProps {
  readonly address: StorageAddress
  readonly bucket: Bucket
  readonly buckets: readonly Bucket[]
  readonly uploads: Uploads
}

export function FolderView({ address, bucket, buckets, uploads }: FolderViewProps): ReactElement {
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
  const open = (entry: ShownEntry) =>
    entry.isFolder ? address.openFolder(entry.key) : address.openObject(entry.key)
  const upload = (files: readonly DroppedFile[]) =>
    uploads.add(
      place,
      files.map(({ path, file }) => ({ file, key: folder + usablePath(path) })),
    )
  const columns = objectColumns(identityLabel(identity), open)
  const error = all.error ?? seen.error
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
          {error !== null ? (
            <Failed
              title="The folder could not be listed"
              error={error}
              retry={() => void Promise.all([all.refetch(), seen.refetch()])}
            />
          ) : all.data === undefined || seen.data === undefined ? (
            <Loading label="Loading objects" lines={8} />
          ) : entries.length === 0 ? (
            <EmptyState
              icon={<FolderOpen aria-hidden="true" />}
              title="Nothing in here"
              detail="Drop files anywhere on this list to upload them."
            />
          ) : address.hasTiles ? (
            <ObjectTiles
              entries={entries}
              selected={object}
              placeOf={({ key }) => placeOf(key)}
              onOpen={open}
            />
          ) : (
            <DataGrid
              label="Objects"
              name="objects"
              columns={columns}
              rows={entries}
              rowKey={({ key }) => key}
              rowHeight={32}
              selected={object}
              isHidden={({ isHidden }) => isHidden}
              picking={{ picked, onPick: setPicked, labelOf: ({ name }) => `Select ${name}` }}
              onSelect={(key, { isFolder }) => isFolder || address.openObject(key)}
              onOpen={open}
              isFirst
            />
          )}
        </DropArea>
      </SheetLayout>
      {(all.data?.length ?? 0) >= FOLDER_PAGE ? (
        <p role="note" className="border-t px-4 py-1 text-small text-ink-dim">
          The first {FOLDER_PAGE} names of this folder are shown.
        </p>
      ) : undefined}
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

function usablePath(path: string): string {
  return path.split('/').map(usableName).join('/')
}
