/** What the studio's server answers, for the server and for the page alike. */
import type { Document } from '../report/document.js';

export interface NamedThing {
  readonly id: string;
  readonly name: string;
}

/** What somebody thinks of a run. */
export interface Mark {
  readonly star: boolean;
  readonly note: string;
}

export interface RunRow extends NamedThing {
  readonly command: string;
  readonly state: string;
  readonly model: string;
  readonly objective: string;
  readonly best?: { readonly measure: string; readonly value: number } | undefined;
  readonly started: string;
  readonly ended?: string | undefined;
  readonly hasModel: boolean;
  readonly hasReport: boolean;
  /** Whether it has stopped before its end, and its command can go on. */
  readonly canResume: boolean;
  readonly mark: Mark;
}

/** All that the first page shows, and what there is to choose from. */
export interface Overview {
  readonly runs: readonly RunRow[];
  readonly models: readonly NamedThing[];
  readonly data: readonly NamedThing[];
  readonly trainings: readonly TrainingRow[];
  /** Files of stars and notes that cannot be read. */
  readonly problems: readonly string[];
  /** The command that lists the same runs. */
  readonly list: string;
  /** The command that opens the studio over the same. */
  readonly command: string;
}

/** A document as report pages have them, and the command line that gives the same values; empty where none does. */
export interface View {
  readonly document: Document;
  readonly command: string;
}

/** Data, and the names of its features, one of which can be asked for. */
export interface DatasetView extends View {
  readonly features: readonly string[];
}

export interface RunView extends View {
  readonly run: RunRow;
  /** The command that began it. */
  readonly started: string;
  /** How the studio would train it again, where its data was named and it is a training. */
  readonly again?: TrainingRequest | undefined;
}

/** The queries before and after one, in the order of the list of queries. */
export interface Neighbours {
  readonly previous?: string | undefined;
  readonly next?: string | undefined;
}

/** A document of a query: which others it can be compared with, best first, and where it is on the web. */
export interface DocumentView extends View {
  readonly others: readonly string[];
  readonly title?: string | undefined;
  readonly link?: string | undefined;
}

/** Documents of a query with their scores: where the picture of lambdas starts. */
export interface QueryDocuments {
  readonly query: string;
  readonly documents: readonly QueryDocument[];
  /** Of a training of the studio: the iterations whose models are kept, and the one that these scores are of. */
  readonly iterations?: readonly number[] | undefined;
  readonly iteration?: number | undefined;
}

export interface QueryDocument {
  readonly document: string;
  readonly label?: number | undefined;
  /** Number of the label's colour, by all labels of the data. */
  readonly colour: number;
  readonly score: number;
}

export interface QueryLambdas {
  readonly objective: string;
  /** Pairs (or documents) with a lambda. */
  readonly pairs: number;
  readonly lambdas: readonly number[];
  /** The command that gives the same; empty where the labels of the query are all one, which it refuses. */
  readonly command: string;
}

/** What can be trained, and what for. */
export interface Choices {
  readonly objectives: readonly { readonly spec: string; readonly title: string }[];
  readonly measures: readonly string[];
  /** What selects the best iteration where nothing is said. */
  readonly select: string;
  readonly trainers: readonly TrainerChoice[];
}

export interface TrainerChoice {
  readonly name: string;
  readonly title: string;
  /** Whether an objective can be given, and the one that is taken where none is. */
  readonly takesObjective: boolean;
  readonly objective: string;
  readonly options: readonly OptionChoice[];
}

export interface OptionChoice {
  /** As it is written on a command line. */
  readonly name: string;
  readonly description: string;
  /** In words: "a whole number of at least 1". */
  readonly allowed: string;
  readonly default: string;
  /** Where it is one of a few. */
  readonly choices?: readonly string[] | undefined;
}

/** A training in the process of the studio, as it is asked for. */
export interface TrainingRequest {
  /** Ids of data. */
  readonly data: string;
  readonly validate?: string | undefined;
  readonly model: string;
  readonly objective?: string | undefined;
  readonly select?: string | undefined;
  readonly seed?: number | undefined;
  /** KEY=VALUE. */
  readonly set: readonly string[];
}

/** As somebody wrote it: a seed may be no number. */
export type WrittenRequest = Omit<TrainingRequest, 'seed'> & { readonly seed?: number | string | undefined };

export type TrainingState = 'running' | 'finished' | 'stopped' | 'failed';

export interface TrainingRow extends NamedThing {
  readonly state: TrainingState;
  readonly iteration: number;
  readonly total: number;
  readonly request: TrainingRequest;
}

export interface TrainingView extends View {
  readonly training: TrainingRow;
}
