// Shows the differences of the template, a version or a tenant. The user can undo the differences in the project, or write them
// into a step.
import type { ReactElement } from 'react'
import type { Fleet } from '../../../emulator/contract/fleet.ts'
import { useDrift } from '../../api/fleet.ts'
import { ChangeButton } from '../../parts/change/change-button.tsx'
import { Loaded } from '../../parts/loaded.tsx'
import { RunnableSql } from '../../parts/sql-actions.tsx'
import { StructureDifferences } from '../../parts/structure-differences.tsx'
import { Section } from '../../ui/sheet.tsx'
import { FromChanges } from './commands.tsx'
import { comparedText, HINTS, OWN_DIFFERENCES } from './texts.ts'

export function DriftSection(props: {
  readonly fleet: Fleet
  readonly slug: string
}): ReactElement {
  const { fleet, slug } = props
  return (
    <Section title={OWN_DIFFERENCES}>
      <Loaded query={useDrift(fleet.group.id, slug)} what="the differences" lines={3}>
        {({ compared_with: reference, differences, into_template: step, note, statements }) =>
          reference === null ? (
            <p className="text-ink-dim">{note ?? HINTS.notCompared}</p>
          ) : (
            <>
              <p className="text-small text-ink-dim">{note ?? comparedText(reference)}</p>
              <StructureDifferences differences={differences} project={slug} other={reference} />
              {statements !== null && (
                <>
                  <p className="text-small">
                    <strong>Bring {slug} back.</strong> {HINTS.closing}
                  </p>
                  <RunnableSql
                    tenant={slug}
                    sql={statements}
                    label="statements that remove the drift"
                  >
                    {runsSomething(statements) && (
                      <ChangeButton
                        label="Bring back"
                        change={{
                          tenant: slug,
                          title: `Bring ${slug} back`,
                          statements: [statements],
                          onlyHere: 'differences',
                        }}
                      />
                    )}
                  </RunnableSql>
                </>
              )}
              {differences.length > 0 && <AsStep fleet={fleet} slug={slug} step={step} />}
            </>
          )
        }
      </Loaded>
    </Section>
  )
}

/** Whether a statement was generated for at least one difference. The other differences appear only as comments. */
function runsSomething(statements: string): boolean {
  return statements.split('\n').some((line) => line !== '' && !line.startsWith('--'))
}

/** Adds a tenant's differences to the template, and writes the template's differences into a step for all tenants. */
function AsStep(props: {
  readonly fleet: Fleet
  readonly slug: string
  /** Statements that add the differences to the template; `null` when the template itself has the differences. */
  readonly step: string | null
}): ReactElement | undefined {
  const { fleet, slug, step } = props
  const { template } = fleet
  if (template === null || (step === null && slug !== template.slug)) return undefined
  return (
    <>
      <p className="text-small">
        <strong>Or move it into the template as a step.</strong>{' '}
        {step === null ? HINTS.templateStep : HINTS.tenantStep}
      </p>
      {step !== null && (
        <RunnableSql
          tenant={template.slug}
          sql={step}
          label={`statements for the template ${template.slug}`}
        >
          <ChangeButton
            label="Move into the template"
            change={{
              tenant: template.slug,
              title: `Changes of ${slug}`,
              statements: [step],
              recordedIn: slug,
            }}
          />
        </RunnableSql>
      )}
      <FromChanges group={fleet.group.name} />
    </>
  )
}
