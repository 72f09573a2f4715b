/**
 * What can be switched on and off as a whole: one table of the features, what each is and needs. A feature is on when
 * its setting says so and all that it needs is there; otherwise the first thing that is missing is named. Pure.
 */
import type { Config } from './config-file.ts'
import { FEATURES, type Feature } from './feature-names.ts'

type FeatureReason =
  /** Nothing keeps it off. */
  'none' | 'setting' | 'login' | 'repository'

/** What is there besides the settings. */
type Standing = {
  /** A Mission Control was joined. */
  readonly isLoggedIn: boolean
  readonly repository: string | undefined
}

export type FeatureStanding = {
  readonly name: Feature
  readonly on: boolean
  readonly reason: FeatureReason
  /** What it is for, as it stands in a list. */
  readonly about: string
  /** The reason in words, with what to do. */
  readonly says: string
}

type Row = {
  readonly about: string
  readonly needs?: readonly ('login' | 'repository')[]
  /** Off unless its setting is true. */
  readonly isAskedFor?: true
}

const rows: Readonly<Record<Feature, Row>> = {
  sessionStore: { about: 'the index of all sessions here: search, sql, Chronicle' },
  cloudSessionStore: {
    about:
      'questions over the sessions of all machines: search, sql and Chronicle with --cloud or --team',
    needs: ['login'],
  },
  backgroundSessions: {
    about: 'sessions and forks that go on beside the one that is shown',
  },
  sessionIndexing: { about: 'copies of sessions in Mission Control', needs: ['login'] },
  sessionIndexingRepo: {
    about: 'copies by repository, as control.repositories says',
    needs: ['login', 'repository'],
  },
  cloudSessions: { about: 'work on workers of Mission Control: --cloud, tasks', needs: ['login'] },
  remoteKickstart: {
    about: 'sessions that are started here from afar, in projects that control.kickstart names',
    needs: ['login', 'repository'],
    isAskedFor: true,
  },
}

/** As the settings have it; all but what has to be asked for are on unless its setting is false. */
export const isOn = ({ features = {} }: Pick<Config, 'features'>, name: Feature): boolean =>
  features[name] ?? rows[name].isAskedFor !== true

export const featuresOf = (config: Pick<Config, 'features'>, here: Standing): FeatureStanding[] =>
  FEATURES.map((name) => ({ name, about: rows[name].about, ...standingOf(name, config, here) }))

function standingOf(
  name: Feature,
  config: Pick<Config, 'features'>,
  here: Standing,
): Pick<FeatureStanding, 'on' | 'reason' | 'says'> {
  const { needs = [] } = rows[name]
  if (!isOn(config, name)) return { on: false, reason: 'setting', says: howToTurnOn(name) }
  if (needs.includes('login') && !here.isLoggedIn)
    return {
      on: false,
      reason: 'login',
      says: 'No Mission Control is configured: reprise remote login <url> joins one.',
    }
  if (needs.includes('repository') && here.repository === undefined)
    return {
      on: false,
      reason: 'repository',
      says: 'This directory is in no repository that has a remote.',
    }
  return { on: true, reason: 'none', says: '' }
}

export const howToTurnOn = (name: Feature): string =>
  `It is turned off by features.${name}: reprise config set features.${name} true turns it on.`
