// Compares the structures of two projects, and lists missing, additional and different objects.
import type { ReactElement } from 'react'
import { useProjects } from '../../api/info.ts'
import { useStructureDiff } from '../../api/project-settings.ts'
import { Loaded } from '../../parts/loaded.tsx'
import { StructureDifferences } from '../../parts/structure-differences.tsx'
import { Combobox } from '../../ui/combobox.tsx'
import { EmptyState } from '../../ui/empty-state.tsx'
import { EMPTY } from './texts.ts'

export function CompareStructure(props: {
  readonly project: string
  readonly other: string | undefined
  readonly onOther: (slug: string) => void
}): ReactElement {
  const { project, other, onOther } = props
  const { data: projects = [] } = useProjects()
  return (
    <>
      <div className="flex items-center gap-3">
        <code>{project}</code>
        <span className="text-ink-dim">compared with</span>
        <Combobox
          label="Compare with"
          isMono
          value={other ?? null}
          placeholder="Choose a project"
          options={projects
            .filter(({ slug }) => slug !== project)
            .map(({ slug, kind }) => ({ value: slug, label: slug, detail: kind }))}
          onChange={onOther}
        />
      </div>
      {other === undefined ? (
        <EmptyState {...EMPTY.comparison} />
      ) : (
        <Differences project={project} other={other} />
      )}
    </>
  )
}

function Differences(props: { readonly project: string; readonly other: string }): ReactElement {
  return (
    <Loaded query={useStructureDiff(props.project, props.other)} what="the comparison">
      {({ differences }) => <StructureDifferences {...props} differences={differences} />}
    </Loaded>
  )
}
