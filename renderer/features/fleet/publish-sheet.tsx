// Publishes the template. Before that, shows how the template differs from the newest version.
import { Upload } from 'lucide-react'
import type { ReactElement } from 'react'
import type { Fleet, FleetVersion } from '../../../emulator/contract/fleet.ts'
import { publishTemplate } from '../../api/groups.ts'
import { useStructureDiff } from '../../api/project-settings.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { StructureDifferences } from '../../parts/structure-differences.tsx'
import { Button } from '../../ui/button.tsx'
import { useAction } from '../../ui/form-action.ts'
import { Section, Sheet } from '../../ui/sheet.tsx'
import { firstVersionText, HINTS, publishedText } from './texts.ts'

const STALE = [['fleet'], ['overview'], ['info'], ['settings']]

export function PublishSheet(props: {
  readonly fleet: Fleet
  readonly onClose: () => void
}): ReactElement {
  const { fleet, onClose } = props
  const { group, template, versions } = fleet
  const publish = useAction({
    work: () => publishTemplate(group.id),
    stale: STALE,
    done: ({ slug, tables, tenantsOnOlderVersion }) => ({
      title: `${slug} published`,
      detail: publishedText(tables, tenantsOnOlderVersion),
    }),
    onDone: onClose,
    failure: 'Could not publish the template',
  })
  return (
    <Sheet
      title={`Publish ${template?.slug ?? 'template'}`}
      label="Publish"
      name="fleet"
      onClose={onClose}
    >
      <p className="text-ink-dim">{HINTS.publish}</p>
      {template === null ? (
        <p className="text-clock">{HINTS.noTemplate}</p>
      ) : (
        <>
          <Frozen template={template} newest={versions.at(-1)} />
          <Button
            tone="primary"
            icon={<Upload />}
            isBusy={publish.isPending}
            onClick={() => publish.mutate()}
          >
            Publish template
          </Button>
        </>
      )}
    </Sheet>
  )
}

function Frozen(props: {
  readonly template: FleetVersion
  readonly newest: FleetVersion | undefined
}): ReactElement {
  const { newest, template } = props
  const query = useStructureDiff(template.slug, newest?.slug)
  if (newest === undefined)
    return <p className="text-ink-dim">{firstVersionText(template.number + 1)}</p>
  return (
    <Section title={`Differences from ${newest.slug}`}>
      <Loaded query={query} what="the differences" lines={4}>
        {({ differences }) =>
          differences.length === 0 ? (
            <p className="text-ink-dim">{HINTS.nothingNew}</p>
          ) : (
            <StructureDifferences
              differences={differences}
              project={template.slug}
              other={newest.slug}
            />
          )
        }
      </Loaded>
    </Section>
  )
}
