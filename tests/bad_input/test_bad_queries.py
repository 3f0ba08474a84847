"""Queries and logs that people bring in: what is no query, is dropped or is guessed is said."""

import json
import os
import shutil
from pathlib import Path

import pytest
from small_project import NO_TEXT, said_of

from workbench import (
    Labelling,
    load_dataset,
    new_project,
)
from workbench.exchange import (
    AskedQuery,
    bring_in_queries,
    read_queries,
)


@pytest.mark.parametrize(
    ("name", "content", "more", "words"),
    [
        ("q.csv", "query\n" + 200_000 * "x", "", "of 200,000 characters; needed a text of at most 1,000"),
        (
            "q.csv",
            "user,query\n1042,hello\n17,bye\n",
            "--column user",
            "'user' holds nothing but numbers, e.g. '1042'",
        ),
        ("q.csv", "query,n\nplease, help,3\n", "", "line 2: 3 cells, and the heading has 2"),
        (
            "q.jsonl",
            '{"query": "x", "kind": "weird"}\n',
            "",
            "line 1: kind is 'weird'; it can be 'identifier'",
        ),
        ("q.jsonl", "[[[\n", "", "line 1: not valid JSON"),
        ("q.xlsx", b"PK\x03\x04" + bytes(30), "", "is no text but a packed file"),
        ("q.csv", b"version https://git-lfs.github.com/spec/v1\n", "", "is no text but a pointer of Git LFS"),
        ("q.pdf", b"%PDF-1.7", "", "is no text but a PDF"),
        ("q.json", NO_TEXT, "", "q.json is no text"),
        ("q.html", "<!doctype html><p>soup", "", "is no text but a page of HTML"),
        ("q.json", '[\n {"query": "soup"}\n]', "", "is a list of JSON over several lines; needed JSON lines"),
        (
            "q.csv",
            "\n\nquery,n\nsoup,hot,3\n",
            "",
            "line 4: 3 cells, and the heading has 2; is a comma too much",
        ),
        ("q.txt", "soup\0\n", "", "line 1: it holds NUL bytes"),
        ("q.csv", "query|count\nsoup|3\n", "", "bars stand between the columns; needed tabs or commas"),
        ("q.txt", "query_id query\nx1 soup\n", "", "a heading, with blanks between the columns"),
        (
            "q.csv",
            "query,count\nsoup,3\n",
            "--column who",
            "q.csv: there is no column 'who', the columns are query",
        ),
        (
            "q.log",
            '"GET /?term=soup"\n',
            "--column who",
            "a web server's log, and no request has a parameter who",
        ),
        ("q.txt", "soup\n", "--column who", "has no column 'who': its first line is 'soup'"),
        ("q.txt", "soup\n", "--sample 1 --seed -1", "argument --seed: '-1' is not possible"),
        ("q.txt", "soup\n", "--seed 3", "--seed has no effect without --sample"),
        ("q.txt", "soup\n", "--judge anna", "--judge has no effect on queries"),
        ("q.txt", "soup\n", "--grades 3=2", "--grades has no effect on queries"),
    ],
)
def test_what_holds_no_queries_brings_none_in(project, capsys, name, content, more, words):
    Path(name).write_bytes(content if isinstance(content, bytes) else content.encode())
    before = Path("queries.jsonl").read_bytes()
    code, out, err = said_of(capsys, f"import queries {name} {more}")
    assert (code, out) == (2, "") and words in err, err
    assert Path("queries.jsonl").read_bytes() == before


def test_a_line_break_in_a_cell_parts_two_words_and_a_kind_is_kept(project, capsys):
    Path("q.csv").write_text('query,kind\n"where is\nthe soup",identifier\n')
    assert said_of(capsys, "import queries q.csv")[0] == 0
    found = Labelling(".").questions()["q03"]
    assert (found.query, found.kind) == ("where is the soup", "identifier")


@pytest.mark.parametrize("name", ["judgments.jsonl", "queries.jsonl"])
def test_a_key_that_stands_twice_in_a_line_is_refused(project, capsys, name):
    line = Path(name).read_text().splitlines()[0]
    Path(name).write_text(line[:-1] + ', "query_id": "q02"}')
    code, _, err = said_of(capsys, "measure")
    assert code == 2 and "the key 'query_id' stands there twice" in err


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("<top>\n<num> 301\n<title> crime\n</top>\n", "TREC topics; write a table"),
        ("q01 0 d1 1\nq01 0 d2 0\n", "TREC qrels; they hold no query's text"),
        ("2026-01-02T10:11:12 reset password\n", "lines that begin with a time; take it away"),
        ("Nov 22 10:00:00 host sshd[12]: Failed password\n", "lines that begin with a time; take it away"),
        ("[Sun Nov  2 10:00:00.1 2026] [error] no file\n", "lines that begin with a time; take it away"),
        ("\u2022 soup\n\u2022 noon\n", "a list, with marks or numbers before its lines"),
        ("> soup\n> noon\n", "a list, with marks or numbers before its lines"),
        ("\u2013 soup\n\u2013 noon\n", "a list, with marks or numbers before its lines"),
        ("['soup', 'noon']\n", "a list in one line, as a program writes it"),
        ('words = ("soup", "noon")\n', "a list in one line, as a program writes it"),
        ("#Fields: date cs-uri-stem\n2026-11-22 /s\n", "no field of this log holds what was asked"),
        ("soup\n<<<<<<< HEAD\nnoon\n", "line 2: git could not merge two versions here ('<<<<<<< HEAD')"),
        ("reset password\t3\nlunch\t2\n", "a table without a heading; name its columns"),
        (
            "+-------+\n| query |\n+-------+\n| soup  |\n+-------+\n1 row in set\n",
            "a table as a console draws it",
        ),
        ("\u250c\u2500\u2510\n\u2502a\u2502\n\u2514\u2500\u2518\n", "a table as a console draws it"),
    ],
)
def test_a_text_that_holds_no_query_a_line_is_named_for_what_it_is(project, capsys, content, words):
    Path("a.txt").write_text(content)
    code, out, err = said_of(capsys, "import queries a.txt")
    assert (code, out) == (2, "") and words in err, err


def test_a_log_in_an_old_encoding_keeps_its_letters(project, capsys):
    Path("a.log").write_text('"GET /search?q=t%FCr HTTP/1.1"\n')
    assert said_of(capsys, "import queries a.log")[0] == 0
    assert [one.query for one in Labelling(".").questions().values()][-1] == "tür"


@pytest.mark.parametrize(
    "row", ["2026-11-22 10:00:00 - /s q=soup+noon\n", "2026-11-22\t10:00:00\tMoz\t/s\tq=soup%20noon\n"]
)
def test_a_log_that_names_its_fields_is_read_by_its_query_column(project, capsys, row):
    fields = "date time cs(User-Agent) cs-uri-stem cs-uri-query"
    Path("a.log").write_text(f"#Version: 1.0\n#Fields: {fields}\n{row}{row.rpartition('q=')[0]}-\n")
    code, _, err = said_of(capsys, "import queries a.log")
    assert code == 0, err
    assert [one.query for one in Labelling(".").questions().values()][-1] == "soup noon"


def test_a_negative_grade_is_mapped_as_the_error_says(project, capsys):
    Path("a.qrels").write_text("q01 0 d3 -1\n")
    assert "--grades -1=0" in said_of(capsys, "import judgments a.qrels")[2]
    assert said_of(capsys, "import judgments a.qrels --grades -1=0")[0] == 0


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("a.txt", "query\nreset password\n", "its first line, 'query', is taken for a heading"),
        ("a.csv", "query,count\n,3\nsoup,1\n", "1 empty query left out"),
        ("a.csv", "query,frequency (30 days)\nsoup,3\n", "columns that are not read: 'frequency (30 days)'"),
        ("a.csv", "query,text\nsoup,noon\n", "of the columns query and text the first is taken, query"),
        ("a.csv", "query_id,query\nx1,soup\nx2,Soup\n", "ids whose text another query has are not kept: x2"),
        ("a.csv", "query_id,query\nzz,word1\n", "keep the id that they have: zz is q01"),
        ("a.csv", "query,count\nword1,9\n", "1 query of another frequency than before keep the old one: q01"),
        ("a.csv", "query,count\nsoup,\nnoon,2\n", "1 row with an empty count, taken as asked once"),
        ("a.csv", "query,count\nnoon,2\nsoup\n", "1 row with an empty count, taken as asked once"),
        ("a.csv", "query\nsoup\x07bell\n", "1 query with characters that cannot be seen"),
        ("a.txt", "# mine\nsoup\n", "1 query with # first"),
        (
            "a.csv",
            "query\nM\ufffdnchen\nsoup\n",
            "1 query with \ufffd where an earlier conversion lost",
        ),
        ("a.csv", "query,count\n4.01234E+12,9\nsoup,1\n", "a spreadsheet shortens a number (4.01E+12), e.g."),
        ("a.txt", "soup\n// todo\n", "1 query with // first, e.g. '// todo'; is it a comment?"),
        ("a.txt", "soup\n- noon\n1. lunch\n", "2 queries with the mark or the number of a list first"),
        ("a.csv", "query\nlost+badge\nlost%20key\nsoup\n", "2 queries encoded as in an address (%20, +)"),
        ("a.log", '"GET /?q=T%u00FCr HTTP/1.1"\n', "1 query encoded as in an address"),
        ("a.csv", "query\nQ&amp;A soup\n", "1 query with marks of HTML (&amp;)"),
        ("a.csv", "query\n/s?q=soup\nnoon\n", "1 query in the form of a request or an address"),
        ("a.csv", 'query,count\n"key,3\nsoup",9\n', "1 query goes over several lines, e.g. 'key,3"),
        ("a.csv", "query,count\nsoup,7\nkey,3\nAll,10\n", "'All', was asked as often as all others together"),
        ("a.jsonl", '{"q": "soup", "hits": 12}\n', "how often a query was asked is read from 'hits'"),
        ("a.csv", "n,query\n5,soup\n2,key\n", "how often a query was asked is read from 'n'"),
        ("a.csv", "n,query\n0,soup\n1,key\n2,noon\n", "the column 'n' numbers the rows, so each is taken"),
        ("a.csv", "query\nT\\u00fcr\n", "1 query with escapes of a program"),
        ("a.csv", "query\nT\u00c3\u00bcr\n", "1 query whose accents were read in a wrong encoding"),
        ("a.csv", "query\nnan\nN/A\nsoup\n", "2 queries that a program may have written for a missing text"),
        ("a.csv", "query\n{search_term}\n%s\nsoup\n", "2 queries that a program may have written"),
        ("a.csv", "query\n*\n?!\nc++\n", "2 queries without a letter or a digit, e.g. '*'"),
        ("a.csv", "query\n' OR 1=1 --\nsoup\n", "1 query as programs type them that try out a server"),
        ("a.csv", "query\nsoup\nkey\nGrand total\n", "1 query may be a row of totals, e.g. 'Grand total'"),
        (
            "a.log",
            '"GET /?q=soup HTTP/1.1"\n"GET /?term=x HTTP/1.1"\n',
            "1 line left out: no parameter q, query",
        ),
        ("a.log", '"GET /?q=soup HTTP/1.1"\n"GET /?q=so', "1 line left out: cut off"),
        ("a.log", '"GET /?q=soup HTTP/1.1"\n"GET /a.png?s=80 HTTP/1.1"\n', "/?q= (1), /a.png?s= (1)"),
        ("a.log", '"GET /?q=soup HTTP/1.1" 200 9 "-" "Googlebot/2.1"\n', "1 of 1 search by programs, for"),
        ("a.log", '"GET /?q=soup HTTP/1.1"\n"GET /?q=a&q=b HTTP/1.1"\n', "two queries in one request"),
        (
            "a.csv",
            "query,count\nNULL,12\n\\N,4\n(not provided),900\nsoup,2\nnull,1\n",
            "916 searches left out that stand for a missing text: (not provided) (900), NULL (12), \\N (4)",
        ),
    ],
)
def test_what_is_dropped_or_guessed_of_queries_is_said(project, capsys, name, content, words):
    Path(name).write_text(content)
    code, out, err = said_of(capsys, f"import queries {name}")
    assert code == 0 and words in out + err, out + err


@pytest.mark.parametrize(
    ("name", "content", "more", "words"),
    [
        ("a.jsonl", '{"query": "soup \\ud800"}\n', "", "holds half of a surrogate pair"),
        ("a.jsonl", '{"query_id": [1], "query": "soup"}\n', "", "query_id is [1]; needed text"),
        ("a.jsonl", '{"query": ' + 5000 * "[" + "\n", "", "a.jsonl, line 1: not valid JSON"),
        ("a.csv", "query\nsoup\n", "--column ''", "the column is ''"),
        ("a.csv", "# --\n# Of May\n# --\nSearch Term,n\nsoup,1\n", "", "take away what stands above line 4"),
        ("a.csv", "Of May\nquery,n\nsoup,1\n", "", "'Of May' is no heading of a table; take away what"),
        ("a.csv", "Of May;;\nquery;n;\nsoup;1;\n", "", "'Of May;;' is no heading of a table; take away what"),
        (
            "a.tsv",
            'query\tn\n"key\t3\nsoup\t9\n17" tv\t5\n',
            "",
            "line 2: a quote is opened, and closed within",
        ),
        (
            "a.csv",
            'query\n"key\nsoup\n17" tv\n',
            "",
            "within a text in line 4: '17\" tv'; write a quote of the",
        ),
        ("a.txt", "Term,Total\nkey,12\nsoup,3\n", "", "line 1: this looks like the heading of a table"),
        ("a.log", "Suchwort;Anzahl\nkey;12\n", "", "name the column that holds the query with --column"),
        ("A.CSV", "Term,Total\nkey,12\nsoup,3\n", "", "A.CSV: the columns are term, total; name the one"),
        ("A.MD", "# Soup\n", "", "A.MD is a page by its name, a document"),
        ("a.csv", "<table><tr><td>query</td></tr>\n", "", "line 1: this looks like markup, as of a page"),
        ("a.csv", 'query,n\nsoup,"1,234"\n', "", "from 1 to 999999999, in digits only"),
        ("a.csv", "query,hits\nsoup,0\n", "", "where 'hits' is no such number, give it another name"),
        ("a.txt", "/s?q=soup\n/s?q=key\n", "", "2 of 2 queries are requests, e.g. '/s?q=soup'; save them"),
        (
            "a.jsonl",
            '{"request": "GET /s?q=soup HTTP/1.1"}\n',
            "--column request",
            "1 of 1 queries are requests, e.g. 'GET /s?q=soup HTTP/1.1'",
        ),
        (
            "a.log",
            '"GET /search/soup/ HTTP/1.1" 200\n',
            "",
            "as in /search/lost+key/, write the queries one a",
        ),
        ("a.log", '"GET /s?q=key&page=2 HTTP/1.1" 200\n', "", "every search is left out: a further page of"),
        ("a.csv", 'query,n\n"say \\"hi\\", now",2\n', "", 'inside of a text in quotes write "" and not'),
        ("a.csv", 'query,n\n"say \\"hi\\" now",2\n', "", 'inside of a text in quotes write "" and not'),
        ("a.csv", "query,n\n'alpha, beta',2\n", "", "' is no quote here; put the text in double quotes"),
        ("a.csv", "sep=,\nquery,n\nsoup,2\n", "", "line 1: 'sep=,' is no heading but a mark for Excel"),
        ("a.csv", "query,n\nsoup,9999999999\n", "", "needed a whole number from 1 to 999999999"),
        (
            "a.csv",
            "query_id,query\nx1,word1\nx1,soup\n",
            "",
            "'x1' is 'word1' in a.csv, line 2, and 'soup' in a.csv, line 3; give one of the two another id",
        ),
        ("a.txt", "soup,3\nnoon,2\n", "", "a table without a heading"),
        ("a.txt", "- soup\n- noon\n", "", "a list, with marks or numbers before its lines"),
        ("a.py", "import os\n", "", "a.py is a program by its name"),
        ("a.md", "# Soup\n", "", "a.md is a page by its name, a document"),
        ("a.jsonl", '{"_id": "d1", "title": "Soup", "text": "Hot."}\n', "", "it is a document and no query"),
        (
            "a.txt",
            "     12 where is it\n      3 soup\n",
            "",
            "each line begins with a number, as of `uniq -c`",
        ),
    ],
)
def test_queries_that_nobody_asked_so_are_refused(project, capsys, name, content, more, words):
    Path(name).write_text(content)
    code, out, err = said_of(capsys, f"import queries {name} {more}")
    assert (code, out) == (2, "") and words in err, err


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("report.json", "report report.json"),
        ("datasets/gold.json", "datasets datasets/gold.json"),
        ("corpus/corpus.json", "measure"),
    ],
)
def test_a_file_of_a_later_version_says_to_update(project, capsys, name, line):
    found = json.loads(Path(name).read_text()) if Path(name).is_file() else {"evidence": []}
    Path(name).write_text(json.dumps(found | {"schema_version": 9}))
    code, _, err = said_of(capsys, line)
    assert code == 2 and "schema_version is 9, of a later version" in err and "update measure-first" in err


def test_a_query_that_was_reworded_under_its_id_is_named(project, capsys):
    Path("queries.jsonl").write_text(Path("queries.jsonl").read_text().replace("word1", "word3"))
    code, out, err = said_of(capsys, "measure")
    assert code == 0 and "q01 is 'word3' in queries.jsonl, and was 'word1' when it was judged" in out


def test_queries_with_and_without_ids_of_their_own_do_not_collide(project, capsys):
    Path("a.csv").write_text("query_id,query\n,soup\nq03,noon\n,tea\n")
    code, out, err = said_of(capsys, "import queries a.csv")
    assert code == 0 and "added 3 queries" in out, err
    assert '"query_id": "q04", "query": "soup"' in Path("queries.jsonl").read_text()


def test_a_list_over_many_lines_in_place_of_records_is_one_problem(project, capsys):
    Path("judgments.jsonl").write_text('[\n  {\n    "query_id": "q01"\n  }\n]\n')
    code, _, err = said_of(capsys, "pool")
    assert code == 2 and err.count("\n") == 1 and "a list of JSON over several lines" in err


def test_a_second_sample_says_that_its_draws_are_not_added(project, capsys):
    Path("a.txt").write_text("soup\nnoon\n")
    assert said_of(capsys, "import queries a.txt --sample 2")[0] == 0
    before = Path("queries.jsonl").read_text()
    out = said_of(capsys, "import queries a.txt --sample 2")[1]
    assert "2 queries were drawn again and not counted again" in out and "in the one before" in out
    assert Path("queries.jsonl").read_text() == before


def test_a_larger_sample_of_a_log_extends_the_one_that_is_here(project, capsys):
    Path("a.txt").write_text("".join(f"about {n % 40}\n" for n in range(90)))
    assert said_of(capsys, "import queries a.txt --sample 10 --seed 3")[0] == 0
    code, out, _ = said_of(capsys, "import queries a.txt --sample 30 --seed 3")
    assert code == 0 and "note: the sample of 10 searches is now one of 30: " in out
    drawn = [json.loads(line).get("drawn", 0) for line in Path("queries.jsonl").read_text().splitlines()]
    assert sum(drawn) == 30


@pytest.mark.parametrize("given", ["junk", "1.5", "-5", "99999999999999"])
def test_a_time_that_is_none_is_refused_by_its_name(project, capsys, monkeypatch, given):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    said = f"SOURCE_DATE_EPOCH is '{given}'; needed whole seconds since 1970, in digits only, or unset it"
    assert said in said_of(capsys, "datasets datasets/gold.json")[2]


@pytest.mark.parametrize("given", ["", " ", "1700000000"])
def test_an_empty_time_is_none_and_whole_seconds_are_one(project, capsys, monkeypatch, given):
    monkeypatch.setenv("SOURCE_DATE_EPOCH", given)
    assert said_of(capsys, "datasets datasets/gold.json")[0] == 0
    assert os.environ.get("SOURCE_DATE_EPOCH", "") == given.strip()


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("soup\n" + 1001 * "x" + "\n", "a.txt, line 2: the query is 'xxx"),
        ("iphone 12 pro 256\n", "if these are queries as they stand, write a first line `query`"),
        ('"GET /search?find=soup HTTP/1.1"\n', "name the one that holds the query with --column"),
    ],
)
def test_of_queries_that_are_refused_the_line_or_the_way_out_is_named(project, capsys, content, words):
    Path("a.txt").write_text(content)
    code, _, err = said_of(capsys, "import queries a.txt")
    assert code == 2 and words in err, err


@pytest.mark.parametrize("content", ["query\niphone 12 pro 256\n", '{"a": 1}\nhow to reset\n'])
def test_queries_that_look_like_something_else_are_taken_as_they_stand(project, capsys, content):
    Path("a.txt").write_text(content)
    code, out, err = said_of(capsys, "import queries a.txt")
    assert code == 0 and content.splitlines()[-1] in Path("queries.jsonl").read_text(), err


@pytest.mark.parametrize(
    ("name", "line"),
    [
        ("systems.json", "systems"),
        ("queries.jsonl", "pool"),
        ("judgments.jsonl", "measure"),
        ("datasets/gold.json", "datasets datasets/gold.json"),
    ],
)
def test_a_merge_that_is_not_finished_is_called_so(project, capsys, name, line):
    Path(name).write_text("<<<<<<< HEAD\n{}\n=======\n{}\n>>>>>>> other\n")
    code, _, err = said_of(capsys, line)
    assert code == 2 and "an unfinished merge (a line begins with <<<<<<<)" in err, err
    assert "cut off" not in err


def test_without_a_query_nothing_is_drafted(project, capsys):
    Path("queries.jsonl").write_text("")
    code, _, err = said_of(capsys, "draft odd_searches:judge_nothing --name llm")
    assert code == 2 and "the project has no query yet" in err


def test_searches_that_were_drawn_are_no_more_than_those_of_the_log(made, tmp_path):
    record = {"query_id": "q01", "query": "word1", "frequency": 1, "drawn": 5}
    (tmp_path / "mine" / "queries.jsonl").write_text(json.dumps(record) + "\n")
    with pytest.raises(ValueError, match="line 1, drawn: 5 searches of 1 .frequency. cannot be drawn"):
        Labelling(tmp_path / "mine")


def test_rows_that_differ_in_a_blank_are_named_as_two_queries(tmp_path):
    rows = [("1a", "reset password", "a"), ("1b", "Reset password ", "b"), ("2", "vpn token", "a")]
    queries = [
        {"query_id": q, "query_text": text, "expected_item_id": d, "kind": "gold"} for q, text, d in rows
    ]
    data = {"schema_version": 1, "name": "hand", "description": "", "queries": queries}
    (tmp_path / "d.json").write_text(json.dumps(data))
    with pytest.warns(UserWarning, match="rows '1a' and '1b' ask .* blanks or capitals alone"):
        load_dataset(tmp_path / "d.json")


@pytest.mark.parametrize("frequency", [0, -1, float("nan"), "3", None])
def test_a_frequency_that_is_none_is_not_dropped(frequency, tmp_path):
    (tmp_path / "docs").mkdir()
    (tmp_path / "docs" / "a.md").write_text("# A\nUse the key.")
    new_project(tmp_path / "p", tmp_path / "docs")
    with pytest.raises(ValueError, match="the frequency of 'pods' is .*; needed a whole number of searches"):
        bring_in_queries(Labelling(tmp_path / "p"), [AskedQuery("pods", frequency=frequency)])


def test_fields_of_a_log_that_hold_no_query_are_named(tmp_path):
    (tmp_path / "log.jsonl").write_text('{"ts": 1, "params": {"q": "soup"}}\n')
    with pytest.raises(
        ValueError, match=r"it has ts, params; name .*--column; .* jq -c '{query: .params.q}'"
    ):
        read_queries(tmp_path / "log.jsonl")


def test_a_query_that_is_json_is_asked_for_its_text(tmp_path):
    body = json.dumps({"query": {"match": {"title": "vpn"}}})
    (tmp_path / "q.jsonl").write_text(json.dumps({"took": "2ms", "source": body}) + "\n")
    with pytest.warns(UserWarning, match="1 query written in JSON, .*write out the text"):
        read_queries(tmp_path / "q.jsonl", column="source")


def test_searches_by_post_are_said_to_be_in_no_log(tmp_path):
    (tmp_path / "access.log").write_text('::1 - - [01/Jan/2026:00:00:00] "POST /find HTTP/1.1" 200 512\n' * 3)
    with pytest.raises(ValueError, match="what was sent by POST is in no such log"):
        read_queries(tmp_path / "access.log")


KEYSTROKES = ("r", "re", "res", "reset", "reset", "reset pass", "reset password")


def _lines_of(form):
    return "".join(form.format(n, text.replace(" ", "+")) + "\n" for n, text in enumerate(KEYSTROKES))


@pytest.mark.parametrize(
    ("name", "content"),
    [
        ("a.log", _lines_of('::1 - - [01/Jan/2026:00:00:0{} +0000] "GET /find?q={} HTTP/1.1" 200 5')),
        ("a.log", _lines_of('2026-01-01T00:00:0{}Z "GET /find?q={} HTTP/1.1" 200 5')),
        ("a.log", _lines_of('"GET /find?q={1} HTTP/1.1" 200 5')),
        (
            "a.log",
            "#Fields: date time c-ip cs-uri-stem cs-uri-query sc-status\n"
            + _lines_of("2026-01-01 00:00:0{} ::1 /find q={} 200"),
        ),
        ("a.csv", "user,time,query\n" + _lines_of("u1,2026-01-01 00:00:0{},{}").replace("+", " ")),
        ("a.jsonl", _lines_of('{{"uid": 1, "ts": 176722560{}, "query": "{}"}}').replace("+", " ")),
    ],
)
def test_keystrokes_of_one_client_are_called_keystrokes_of_one_search(tmp_path, name, content):
    (tmp_path / name).write_text(content)
    with pytest.warns(
        UserWarning, match="6 searches of one client, .* are keystrokes of 1, e.g. 'r', 're' …"
    ):
        read_queries(tmp_path / name)


@pytest.mark.parametrize(
    "form",
    [
        '::1 - - [01/Jan/2026:00:0{}:00 +0000] "GET /find?q={} HTTP/1.1" 200 5',
        '::{} - - [01/Jan/2026:00:00:00 +0000] "GET /find?q={} HTTP/1.1" 200 5',
    ],
)
def test_queries_minutes_apart_or_of_several_clients_are_no_keystrokes(tmp_path, form, recwarn):
    (tmp_path / "a.log").write_text(_lines_of(form))
    read_queries(tmp_path / "a.log")
    assert not [one for one in recwarn if "keystrokes" in str(one.message)]


@pytest.mark.parametrize(
    ("rows", "words"),
    [
        (
            ["7\tkey\t2006-03-01 07:17:12\t1\thttp://a", "7\tkey\t2006-03-01 07:17:12\t2\thttp://b"],
            "1 row agrees with another in anonid, querytime and query, .*keep one row a search",
        ),
        (
            ["7\tkey\t2006-03-01 07:17:12\t1\thttp://a", "7\tsoup\t2006-03-01 09:17:12\t\t"],
            "'itemrank', 'clickurl' may say what was clicked; .*keep one row a search",
        ),
    ],
)
def test_rows_that_are_clicks_are_not_silently_searches(tmp_path, rows, words):
    (tmp_path / "a.tsv").write_text("\n".join(["AnonID\tQuery\tQueryTime\tItemRank\tClickURL", *rows]))
    with pytest.warns(UserWarning, match=words):
        read_queries(tmp_path / "a.tsv")


def test_of_an_id_that_has_another_text_in_the_project_both_places_and_the_cure_are_named(project, capsys):
    Path("s.csv").write_text("query_id,query\nz1,soup\nq01,word one\n")
    code, _, err = said_of(capsys, "import queries s.csv")
    assert code == 2 and "'q01' is 'word1' in queries.jsonl, and 'word one' in s.csv, line 3; give" in err
    assert "or, if the query was reworded, write it in queries.jsonl" in err


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("test.tsv", "query-id\tcorpus-id\tscore\nq01\td1\t2\n", "these are judgments, which hold"),
        (
            "a.jsonl",
            '{"query-id": "q01", "corpus-id": "d1", "score": 2}\n',
            "these are judgments, which hold",
        ),
        ("slow.log", '[2026-11-01T10:00:01,1][WARN ][i.s] source[{"query":{}}]\n', "looks like a slow log"),
    ],
)
def test_what_holds_no_query_though_it_has_ids_or_times_is_named(project, capsys, name, content, words):
    Path(name).write_text(content)
    for more in ("", "--column query-id") if name != "slow.log" else ("",):
        code, _, err = said_of(capsys, f"import queries {name} {more}")
        assert code == 2 and words in err


def test_a_query_that_only_the_dataset_has_is_told_before_it_is_gone(project, capsys):
    said_of(capsys, "measure")
    lab = Labelling(".")
    lab.judge(lab.add_query("word5"), "d5", 2)
    lab.export()
    lines = Path("queries.jsonl").read_text().splitlines(keepends=True)
    Path("queries.jsonl").write_text("".join(lines[:2]))
    code, out, _ = said_of(capsys, "measure")
    assert code == 0 and "1 query of it is not in queries.jsonl, and left out now: q03" in out


def test_a_dataset_that_was_edited_by_hand_is_told_to_be_made_anew(project, capsys):
    said_of(capsys, "measure")
    gold = Path("datasets/gold.json")
    gold.write_text(gold.read_text().replace('"expected_item_id": "d1"', '"expected_item_id": "d2"'))
    code, out, _ = said_of(capsys, "measure")
    assert code == 0 and "gold.json could not be read any more, as after an edit by hand" in out


def test_a_text_deep_within_a_record_is_told_its_whole_path(project, capsys):
    Path("deep.jsonl").write_text('{"ts": 1, "event": {"search": {"term": "oil chain"}}}\n')
    Path("half.jsonl").write_text('{"query": {"term": "oil chain"}}\n')
    for line in ("deep.jsonl", "deep.jsonl --column event.search.term"):
        assert "jq -c '{query: .event.search.term}'" in said_of(capsys, f"import queries {line}")[2]
    assert "jq -c '{query: .query.term}'" in said_of(capsys, "import queries half.jsonl")[2]


ASKED = '1.1.1.1 - - [03/Nov/2026:10:11:12 +0000] "{} HTTP/1.1" {} 12\n'


def _read(folder, name, content, recwarn, column=None):
    """The texts of a file of queries, and all that is said of it."""
    (folder / name).write_text(content, encoding="utf-8")
    texts = [query.text for query in read_queries(folder / name, column)]
    return texts, " ".join(str(one.message) for one in recwarn)


@pytest.mark.parametrize(
    "content",
    [
        'Started GET "/search?q=lunch" for 127.0.0.1 at 2026-11-03 10:11:12 +0000\n',
        'GET "/search?q=lunch", parameters={masked}\n',
        'at=info method=GET path="/search?q=lunch" host=x status=200\n',
        "time=2026-11-03T10:11:12 method=GET uri=/search?q=lunch status=200\n",
        '[GIN] 2026/11/03 - 10:11:12 | 200 |  1.1ms |  1.1.1.1 | GET      "/search?q=lunch"\n',
        "\x1b[0mGET /search?q=lunch \x1b[32m200\x1b[0m 12.1 ms - 12\x1b[0m\n",
        ASKED.format("OPTIONS /s?q=key", 204) + ASKED.format("GET /s?q=lunch", 200),
        2 * ASKED.format("OPTIONS /s?q=key", 204) + ASKED.format("GET /s?q=lunch", 200),
        2 * ASKED.replace("{} HTTP/1.1", "{}").format(r"\x16\x03\x01", 400)
        + ASKED.format("GET /s?q=lunch", 200),
        ASKED.format("GET /s?q=lunch", 200)
        + ASKED.format("GET /a?v=1", 200)
        + ASKED.format("GET /b?id=2", 200),
    ],
)
def test_of_a_log_only_the_texts_that_were_asked_are_queries(tmp_path, recwarn, content):
    assert _read(tmp_path, "a.log", content, recwarn)[0] == ["lunch"]


@pytest.mark.parametrize(
    "line",
    [
        "GET /s?q=key 404 12.1 ms - 12",
        'at=info method=GET path="/s?q=key" host=x service=3ms status=503 bytes=12',
        "https 2026-11-03T10:11:12Z app/x 1.1.1.1:1 2.2.2.2:8 0 0 0 404 404 1 1 "
        '"GET https://x/s?q=key HTTP/1.1"',
        "Nov  3 10:11:12 lb haproxy[1]: 1.1.1.1:5 [x] f b/s 0/0/1/2/3 503 212 - - ---- 1/1/1/1/0 0/0 "
        '"GET /s?q=key HTTP/1.1"',
        '[GIN] 2026/11/03 - 10:11:12 | 500 |  1.1ms |  1.1.1.1 | GET      "/s?q=key"',
        *(
            f'1.1.1.1 - - [x] "GET /s?q=key&{more} HTTP/1.1" 200 9'
            for more in ("from=10", "pageNo=2", "page_no=2", "skip=20", "currentPage=2", "pg=3", "cursor=abc")
        ),
    ],
)
def test_an_error_or_a_further_page_is_no_search_whatever_wrote_the_log(tmp_path, recwarn, line):
    found, said = _read(
        tmp_path, "a.log", f'{line}\n{line.replace("key", "soup")}\n"GET /s?q=soup"\n', recwarn
    )
    assert found == ["soup"] and "2 lines left out: " in said


@pytest.mark.parametrize("more", ["from=2026", "page=1", "cursor=*", "start=0"])
def test_a_first_page_and_a_year_are_no_further_page(tmp_path, recwarn, more):
    assert _read(tmp_path, "a.log", f'"GET /s?q=key&{more} HTTP/1.1" 200 9\n', recwarn)[0] == ["key"]


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        (
            "a.log",
            'Started GET "/s?q=key" for ::1\n  Parameters: {"q"=>"key"}\nCompleted 200 OK\n',
            "looks like a request in the log of a server, and 2 of 3 lines are none",
        ),
        ("a.log", "INFO  - 2026-11-03 10:11:12; [ x:docs] path=/select params={q=key}\n", "log of a program"),
        ("a.log", 'level=info msg=search query="key ring" took=5ms\n', "looks like the log of a program"),
        ("a.log", "INFO:search:query=key hits=5\n", "looks like the log of a program"),
        ("a.log", "[INFO] Search query: key\n[WARN] slow\n", "looks like the log of a program"),
        ("a.txt", "key|5\nsoup|3\n", "looks like a table with bars"),
        ("a.txt", "-[ RECORD 1 ]--\nquery | key\ncount | 5\n", "a table as a console draws it"),
        ("a.txt", "*** 1. row ***\nquery: key\n    n: 5\n", "a table as a console draws it"),
        ("a.txt", "  query\n-------\n key\n(1 row)\n", "a table as a console draws it"),
        (
            "a.txt",
            "1:obama family\n2:french lick\n4:toilet\n",
            "begins with an id that counts up, as in '1:obama",
        ),
        (
            "a.txt",
            "q01 lunch time\nq02 key\nq03 soup\n",
            "begins with an id that counts up, as in 'q01 lunch",
        ),
        (
            "a.txt",
            "q1 0 a.md 2\nq2 0 b.md 2\nq3 0 c.md 1\n",
            "they hold no query's text: workbench import judgments",
        ),
        ("a.yaml", "q1: key\n", "a.yaml is no list of queries by its name"),
        ("a.toml", "q = 'key'\n", "a.toml is no list of queries by its name"),
        ("a.sql", "INSERT INTO q VALUES ('key');\n", "a.sql is a program by its name"),
        ("a.jsonl", '{"searches": [{"search": "key"}]}\n', "jq -c '.searches[]'"),
        (
            "a.jsonl",
            '{"request": {"method": "GET", "uri": "/s?q=key"}}\n',
            """jq -r '.request.uri | if startswith("/") then "GET " + . else . end'""",
        ),
        (
            "a.jsonl",
            '{"query": "GET /s?q=key HTTP/1.1"}\n',
            """as the log of a web server: jq -r '.query | if""",
        ),
        ("a.csv", 'query,n\n"1.1.1.1 - - ""GET /s?q=key HTTP/1.1"" 200",1\n', "1 of 1 queries are requests"),
        ("a.csv", "query\u200b,n\nkey,1\n", r"the columns are 'query\u200b', n"),
    ],
)
def test_what_other_programs_write_is_not_taken_for_queries(tmp_path, recwarn, name, content, words):
    with pytest.raises(ValueError) as raised:
        _read(tmp_path, name, content, recwarn)
    assert words in str(raised.value)


@pytest.mark.parametrize(
    "lines",
    [
        [
            "where is my key?",
            "wo ist der Schlüssel",
            "où est ma clé ?",
            "где мой ключ",
            "鍵",
            "أين مفتاحي",
            "चाबी",
        ],
        ["GET vs POST", "POST request python", "HEAD request", "PUT or PATCH"],
        ["GET /users", "how to log in", "POST /users 401", "rate limit"],
        ["ERROR: relation does not exist", "ERROR 1045 access denied", "INFO desk", "WARNING light"],
        ["ls | wc", "cat a | sort", "news | bbc"],
        ["x=1", "level=5", "a=b c=d e=f", "lunch"],
        ['"lost key"'],
        ['"lost key" OR badge', '"lunch"', "'tis the season"],
        ["1:1 meeting", "2:1 screening", "lunch"],
        ["q1 results", "q2 results", "lunch"],
        ["ps5 price", "ps4 games", "ps3 emulator"],
        ["lunch", "key", "GET / HTTP/1.1 404", *(f"soup of day {n}" for n in range(60))],
        ["query", "GET / HTTP/1.1 404", "lunch"],
        ["reset pass", "reset password", "404", "3d printer", "covid-19", "C#", "10.0.0.1", "@home", "total"],
    ],
)
def test_queries_a_line_come_in_as_they_are(tmp_path, recwarn, lines):
    found, _ = _read(tmp_path, "a.txt", "\n".join(lines) + "\n", recwarn)
    assert found == lines[lines[0] == "query" :]


@pytest.mark.parametrize(
    ("content", "found"),
    [
        ('"lunch menu"\n"lost \\"key\\""\n', ["lunch menu", 'lost "key"']),
        ('"lunch menu",\n"lost ""key"""\n', ["lunch menu", 'lost "key"']),
        ("query\n'lunch menu'\n'key'\n", ["lunch menu", "key"]),
    ],
)
def test_quotes_around_every_line_are_no_part_of_the_queries(tmp_path, recwarn, content, found):
    texts, said = _read(tmp_path, "a.txt", content, recwarn)
    assert texts == found and "each line is in quotes, which are left out" in said


@pytest.mark.parametrize(
    ("cells", "words"),
    [
        (["Total,8", "key,3", "soup,5"], "1 query may be a row of totals, e.g. 'Total'"),
        (
            ["key,3", "Total: Search terms,3", "Total: Account,90"],
            "2 queries may be a row of totals, e.g. 'Total: S",
        ),
        (['"=""key""",3'], "as a spreadsheet writes a text that is no number"),
        (["'0042,3"], "as a spreadsheet writes a text that is no number"),
        (["<em>lost</em> key,3"], "with tags of HTML (<em>), e.g. '<em>lost</em> key'"),
        (["reset pass...,3"], "that may be cut off, with ... at the end"),
        (["reset pass…,3"], "that may be cut off, with ... at the end"),
        (
            ["#N/V,1", "#WERT!,1", "(vide),1", "<empty>,1", "(data not available),1", "key,1"],
            "5 searches left out",
        ),
        (["key,3", "(2 rows),"], "1 query as a console writes below a table"),
    ],
)
def test_cells_that_nobody_typed_are_told(tmp_path, recwarn, cells, words):
    assert words in _read(tmp_path, "a.csv", "\n".join(["query,count", *cells]), recwarn)[1]


@pytest.mark.parametrize("word", ["total", "Gesamt"])
def test_a_word_for_a_total_that_counts_nothing_together_is_a_query(tmp_path, recwarn, word):
    content = f"query,count\nkey,3\n{word},2\nsoup,5\n"
    assert "totals" not in _read(tmp_path, "a.csv", content, recwarn)[1]


@pytest.mark.parametrize(
    ("heading", "times"),
    [
        (
            "user_id,timestamp",
            ["2026-11-03 10:11:12 UTC", "2026-11-03 10:11:13.1 UTC", "2026-11-03 10:11:14 UTC"],
        ),
        ("userToken,timestamp", ["2026-11-03T10:11:12Z", "2026-11-03T10:11:13Z", "2026-11-03T10:11:14Z"]),
        ("session-id,date", ["11/03/2026 10:11:12", "11/03/2026 10:11:13", "11/03/2026 10:11:14"]),
        ("user,time", ["03.11.2026 1:59:58 PM", "03.11.2026 1:59:59 PM", "03.11.2026 2:00:01 PM"]),
        ("user_pseudo_id,event_timestamp", ["1793700672000000", "1793700673000000", "1793700674000000"]),
    ],
)
@pytest.mark.parametrize("step", [1, -1])
def test_keystrokes_are_known_by_the_times_of_other_programs_in_either_order(
    tmp_path, recwarn, heading, times, step
):
    rows = [f"u1,{time},{text}" for time, text in zip(times, ("l", "lu", "lun"), strict=True)]
    said = _read(tmp_path, "a.csv", "\n".join([f"{heading},query", *rows[::step]]), recwarn)[1]
    assert "3 searches of one client, seconds apart" in said


@pytest.mark.parametrize("before", ["ex.com:443 ", "Nov  3 10:11:12 web nginx: "])
def test_what_stands_before_the_client_in_a_log_is_not_the_client(tmp_path, recwarn, before):
    form = before + '1.1.1.{0} - - [01/Jan/2026:00:00:0{0} +0000] "GET /find?q={1} HTTP/1.1" 200 5'
    assert "keystrokes" not in _read(tmp_path, "a.log", _lines_of(form), recwarn)[1]
    form = before + '1.1.1.1 - - [01/Jan/2026:00:00:0{} +0000] "GET /find?q={} HTTP/1.1" 200 5'
    assert "keystrokes" in _read(tmp_path, "b.log", _lines_of(form), recwarn)[1]


def test_an_empty_title_makes_no_document_of_a_query(tmp_path, recwarn):
    content = '{"_id": "q1", "text": "lunch", "title": ""}\n'
    assert _read(tmp_path, "queries.jsonl", content, recwarn)[0] == ["lunch"]
    with pytest.raises(ValueError, match="so it is a document and no query"):
        _read(tmp_path, "corpus.jsonl", content, recwarn)


def test_a_sample_beside_an_earlier_one_is_added_without_its_draws(project, capsys):
    Path("nov.txt").write_text("soup\nnoon\n")
    Path("dec.txt").write_text("tea\nkey\nrain\n")
    assert "of another sample" not in said_of(capsys, "import queries nov.txt --sample 2")[1]
    out = said_of(capsys, "import queries dec.txt --sample 3")[1]
    assert "3 queries of another sample than before added: q05, q06, q07; the mean over searches stays" in out
    drawn = {query_id: one.drawn for query_id, one in Labelling().questions().items() if one.drawn}
    assert len(drawn) == 2 and not drawn.keys() & {"q05", "q06", "q07"}


def test_requests_without_parameters_in_a_log_of_iis_are_passed_by(project, capsys):
    lines = ["#Fields: date time cs-method cs-uri-stem cs-uri-query c-ip sc-status"]
    lines += [f"2026-11-01 00:0{n}:02 GET /search q=tap{n} 10.1.1.{n} 200" for n in range(3)]
    lines += ["2026-11-01 00:04:02 GET /style.css - 10.1.1.2 200"]
    Path("iis.log").write_text("\n".join(lines) + "\n")
    code, out, err = said_of(capsys, "import queries iis.log")
    assert code == 0 and "added 3 queries" in out and not err, err


def test_a_frequency_that_has_fallen_to_one_is_named_too(project, capsys):
    for name, counts in (("jan", (1, 9)), ("feb", (50, 1))):
        Path(f"{name}.csv").write_text("query,count\nalpha,{}\nbeta,{}\n".format(*counts))
    assert said_of(capsys, "import queries jan.csv")[0] == 0
    code, out, err = said_of(capsys, "import queries feb.csv")
    assert code == 0 and "2 queries of another frequency than before keep the old one" in out + err
    Path("plain.txt").write_text("alpha\nbeta\n")
    assert "frequency" not in "".join(map(str, said_of(capsys, "import queries plain.txt")))


BROWSER = "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/138.0 Safari/537.36"
PROGRAMS = [
    "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
    "ELB-HealthChecker/2.0",
    "Acme Site Monitoring 1.2",
    "uptime-kuma/1.23",
]


@pytest.mark.parametrize("name", ["user_agent", "User Agent", "ua", "userAgent", "agent"])
@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_searches_of_programs_in_a_table_are_told(tmp_path, recwarn, name, ending):
    rows = [("soup", 5, BROWSER), ("monitor stand", 2, ""), *(("ping", 3, agent) for agent in PROGRAMS)]
    if ending == "csv":
        content = f"query,count,{name}\n" + "".join(f'{text},{n},"{agent}"\n' for text, n, agent in rows)
    else:
        content = "".join(json.dumps({"query": q, "count": n, name: agent}) + "\n" for q, n, agent in rows)
    said = _read(tmp_path, f"a.{ending}", content, recwarn)[1]
    assert "12 of 19 searches by programs, for their user agent says bot, crawler" in said
    assert "leave them out first where people count" in said


@pytest.mark.parametrize(
    "content",
    [
        f"query,user_agent\nmonitor stand,{BROWSER}\nhealth check,\n",
        "query,source\nsoup,Googlebot\n",
        "query\nuptime robot\n",
    ],
)
def test_nothing_is_said_of_programs_where_people_ask_for_them(tmp_path, recwarn, content):
    assert "by programs" not in _read(tmp_path, "a.csv", content.replace(", like", ""), recwarn)[1]


def test_an_import_says_that_of_several_forms_the_most_frequent_is_asked(project, capsys):
    Path("a.txt").write_text("Lost key\nlost key\nlost key\nsoup\n")
    out = said_of(capsys, "import queries a.txt --sample 2")[1]
    said = (
        "2 different queries, of 3 as they were typed: capitals and blanks apart, one form of each is asked"
    )
    assert f"4 searches, {said}, the most frequent" in out
    Path("b.txt").write_text("lost key\nlost key\nsoup\n")
    assert "as they were typed" not in said_of(capsys, "import queries b.txt")[1]


AGENTS = [
    ("soup", BROWSER),
    ("lost key", BROWSER),
    ("soup", BROWSER),
    ("ping", PROGRAMS[0]),
    ("key", PROGRAMS[1]),
]


def write_searches(name: str, rows: list[tuple[str, str]]) -> None:
    line = '1.2.3.{} - - [x] "GET /s?q={} HTTP/1.1" 200 9 "-" "{}"'
    lines = [line.format(n, text.replace(" ", "+"), agent) for n, (text, agent) in enumerate(rows)]
    if name.endswith(".csv"):
        lines = ["query,user_agent", *(f'{text},"{agent}"' for text, agent in rows)]
    Path(name).write_text("\n".join(lines) + "\n")


@pytest.mark.parametrize("ending", ["csv", "log"])
@pytest.mark.parametrize("sample", ["", " --sample 5"])
@pytest.mark.parametrize("is_new", [True, False])
def test_where_programs_searched_the_cure_gives_what_people_asked(project, capsys, ending, sample, is_new):
    """As the note says: what came in goes out, and the log comes in again without their lines."""
    if is_new:
        Path("queries.jsonl").unlink(), Path("judgments.jsonl").unlink()
    before = asked()
    write_searches(f"all.{ending}", AGENTS)
    write_searches(f"people.{ending}", [one for one in AGENTS if one[1] == BROWSER])
    _, out, err = said_of(capsys, f"import queries all.{ending}{sample}")
    assert "2 of 5 searches by programs" in err
    added = len(asked()) - len(before)
    lines = (
        f'{added} lines of queries.jsonl that have "drawn"'
        if sample
        else f"last {added} lines of queries.jsonl"
    )
    gone = f"the {lines}" if before else "queries.jsonl"
    cure = f"delete {gone}, for nothing of that is judged yet, and import the log without their lines"
    assert f"searches of programs are among these; where people count, {cure}" in out
    kept = Path("queries.jsonl").read_text().splitlines(keepends=True)[: len(before)]
    Path("queries.jsonl").unlink()
    if kept:
        Path("queries.jsonl").write_text("".join(kept))
    _, out, err = said_of(capsys, f"import queries people.{ending}{sample}")
    assert "program" not in out + err and "another sample" not in out
    drawn = {one.query: one.drawn for one in Labelling().questions().values() if one.query not in before}
    assert drawn == ({"soup": 2, "lost key": 1} if sample else {"soup": None, "lost key": None})


def asked() -> list[str]:
    return [one.query for one in Labelling().questions().values()]


def test_where_something_is_judged_the_searches_of_people_go_into_a_new_project(project, capsys):
    write_searches("all.csv", AGENTS)
    write_searches("people.csv", [one for one in AGENTS if one[1] == BROWSER])
    said_of(capsys, "import queries all.csv --sample 3")
    questions = Labelling().questions()
    for query_id in questions:
        Labelling().judge(query_id, next(iter(Labelling().documents)), 1)
    _, out, _ = said_of(capsys, "import queries all.csv --sample 5")
    cure = "import the log without their lines into a new project, and there the judgments of this one"
    assert (
        f"where people count, {cure}" in out
        and "workbench import judgments OLD/judgments.jsonl --allow-unknown" in out
    )
    other = shutil.copytree(Path(), Path("../other"), ignore=shutil.ignore_patterns("*.jsonl"))
    shutil.copytree("corpus", other / "corpus", dirs_exist_ok=True)
    said_of(capsys, f"import queries people.csv --sample 5 --project {other}")
    code, out, err = said_of(capsys, f"import judgments judgments.jsonl --allow-unknown --project {other}")
    judged = {one.query for one in questions.values()} & {"soup", "lost key"}
    assert code == 0 and {one.query for one in Labelling(other).verdicts().values()} == judged, out + err


def test_columns_that_a_warning_was_read_from_are_not_called_unread(tmp_path, recwarn):
    rows = "".join(f"soup {n},{BROWSER.split()[0]},2026-10-01T08:0{n}:00,c{n},de\n" for n in range(4))
    content = f"query,user_agent,time,client,language\n{rows}"
    said = _read(tmp_path, "a.csv", content, recwarn)[1]
    assert "columns that are not read: 'language'; how often" in said
    said = _read(tmp_path, "b.csv", content.replace("client", "colour").replace("user_", ""), recwarn)[1]
    assert "columns that are not read: 'time', 'colour', 'language'; how often" in said


@pytest.mark.parametrize("agent", PROGRAMS)
@pytest.mark.parametrize("referer", ["-", "https://a.org/?q=monitor"])
def test_a_program_is_known_in_an_access_log_by_its_agent_and_not_by_what_stands_beside_it(
    tmp_path, recwarn, agent, referer
):
    line = '1.2.3.{} - - [x] "GET /s?q=key+{} HTTP/1.1" 200 9 "{}" "{}" 0.1 [monitoring-80] "monitor.a.org"\n'
    people = "".join(line.format(n, n, referer, BROWSER) for n in range(4))
    assert "by programs" not in _read(tmp_path, "a.log", people, recwarn)[1]
    content = people + line.format(5, 5, referer, agent)
    assert "1 of 5 searches by programs" in _read(tmp_path, "b.log", content, recwarn)[1]
