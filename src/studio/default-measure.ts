/** What views are about where nobody says, on the server and on the page. */
export const DEFAULT_MEASURE = 'ndcg@10';
