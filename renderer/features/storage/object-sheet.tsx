// Shows one object as the chosen identity can read it, with a preview, URLs, facts and actions.
import { ArrowRightLeft, Copy, Download, Trash2 } from 'lucide-react'
import { type ReactElement, useState } from 'react'
import {
  type Bucket,
  downloadObject,
  type ObjectInfo,
  type ObjectPlace,
  useObjectInfo,
} from '../../api/storage.ts'
import { saveFile } from '../../parts/save-file.ts'
import { Button } from '../../ui/button.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { JsonTree } from '../../ui/json-tree.tsx'
import { KeyValueList } from '../../ui/key-value-list.tsx'
import { Loading } from '../../ui/loading.tsx'
import { MiddleTruncate } from '../../ui/middle-truncate.tsx'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { Bytes, Timestamp } from '../../ui/timestamp.tsx'
import { showToast } from '../../ui/toast.tsx'
import { GONE } from './entries.ts'
import { MoveDialog } from './entry-dialogs.tsx'
import { ObjectLinks } from './object-links.tsx'
import { ObjectPreview } from './object-preview.tsx'
import { ReadRefused } from './refusal.tsx'

export interface ObjectSheetProps {
  readonly place: ObjectPlace
  /** The object's version in the list, or `undefined` until the list has loaded. */
  readonly version: string | undefined
  readonly bucket: Bucket
  readonly buckets: readonly Bucket[]
  readonly onDelete: () => void
  readonly onMoved: (bucket: string, key: string) => void
  readonly onClose: () => void
}

export function ObjectSheet(props: ObjectSheetProps): ReactElement {
  const { place, version, bucket, onClose } = props
  const [dialog, setDialog] = useState<'move' | 'copy'>()
  const info = useObjectInfo(place, version === GONE ? undefined : version)
  return (
    <Sheet
      title={<MiddleTruncate text={place.key} isMono />}
      label="Object"
      name="object"
      onClose={onClose}
    >
      {version !== GONE && <Actions place={place} onDialog={setDialog} onDelete={props.onDelete} />}
      {version === GONE ? (
        <EmptyState title="Object not found" detail="The object was moved or deleted." />
      ) : info.isError ? (
        <ReadRefused place={place} error={info.error} />
      ) : info.data === undefined ? (
        <Loading label="Loading the object" lines={6} />
      ) : (
        <>
          <ObjectPreview place={place} info={info.data} />
          <ObjectLinks place={place} isPublic={bucket.public} />
          <Facts info={info.data} />
        </>
      )}
      {dialog !== undefined && (
        <MoveDialog
          action={dialog}
          place={place}
          buckets={props.buckets}
          onClose={() => setDialog(undefined)}
          onDone={(toBucket, key) => {
            setDialog(undefined)
            props.onMoved(toBucket, key)
          }}
        />
      )}
    </Sheet>
  )
}

function Actions(props: {
  readonly place: ObjectPlace
  readonly onDialog: (action: 'move' | 'copy') => void
  readonly onDelete: () => void
}): ReactElement {
  const { place, onDialog, onDelete } = props
  const download = async () => {
    try {
      saveFile(place.key.split('/').at(-1) ?? 'object', await downloadObject(place))
    } catch (error) {
      showToast({ title: 'Could not read the object', detail: String(error), tone: 'refused' })
    }
  }
  return (
    <div className="flex flex-wrap gap-2">
      <Button size="small" icon={<Download />} onClick={() => void download()}>
        Download
      </Button>
      <Button size="small" icon={<ArrowRightLeft />} onClick={() => onDialog('move')}>
        Move or rename…
      </Button>
      <Button size="small" icon={<Copy />} onClick={() => onDialog('copy')}>
        Copy to…
      </Button>
      <Button size="small" tone="danger" icon={<Trash2 />} onClick={onDelete}>
        Delete object
      </Button>
    </div>
  )
}

function Facts({ info }: { readonly info: ObjectInfo }): ReactElement {
  return (
    <>
      <Section title="Details">
        <KeyValueList
          items={[
            ['Type', <code key="type">{info.content_type}</code>],
            ['Size', <Bytes key="size" bytes={info.size} />],
            ['Cache control', <code key="cache">{info.cache_control}</code>],
            ['ETag', <MiddleTruncate key="etag" text={info.etag} isMono copyLabel="Copy ETag" />],
            ['ID', <MiddleTruncate key="id" text={info.id} isMono copyLabel="Copy ID" />],
            ['Created', <Timestamp key="created" at={info.created_at} />],
            ['Updated', <Timestamp key="changed" at={info.last_modified} />],
          ]}
        />
      </Section>
      {Object.keys(info.metadata ?? {}).length !== 0 && (
        <Section title="Metadata">
          <JsonTree value={info.metadata} label="Metadata" />
        </Section>
      )}
    </>
  )
}
