"""Citations against goldens made by hand after the patterns of Chicago 17, MLA 9, APA 7 and German usage."""

from dataclasses import replace

import pytest

from fakes.exports import letter, one
from vestigia.app.citations import Style, citation
from vestigia.app.describing import names_of, reference
from vestigia.app.references import Extract, Kind, Reference, When
from vestigia.domain.ids import PassageId

LETTER = {
    Style.CHICAGO: "Harriet Colby to Élise Vautrin, c. 1880, Papers of Élise, AM 5/3, Archives municipales.",
    Style.AUTHOR_DATE: "Colby, Harriet. c. 1880. Letter to Élise Vautrin. Papers of Élise. "
    "AM 5/3, Archives municipales.",
    Style.MLA: "Colby, Harriet. Letter to Élise Vautrin. Papers of Élise, c. 1880. Archives municipales, AM 5/3.",
    Style.APA: "Colby, H. (c. 1880). [Letter to Élise Vautrin]. Papers of Élise (AM 5/3). Archives municipales.",
    Style.ARCHIVAL: "Archives municipales, Papers of Élise, AM 5/3: Harriet Colby to Élise Vautrin, c. 1880.",
    Style.GERMAN: "Harriet Colby an Élise Vautrin, c. 1880, in: Papers of Élise, AM 5/3, Archives municipales.",
}
ARTICLE = {
    Style.CHICAGO: "Karl Meier, “Der neue Bahnhof,” Grenzbote, March 14, 1887, p. 3, Nr. 18, Stadtarchiv, "
    "https://example.org/18",
    Style.AUTHOR_DATE: "Meier, Karl. 1887. “Der neue Bahnhof.” Grenzbote, March 14, p. 3. Nr. 18, Stadtarchiv. "
    "https://example.org/18",
    Style.MLA: "Meier, Karl. “Der neue Bahnhof.” Grenzbote, 14 Mar. 1887, p. 3. Stadtarchiv, Nr. 18. "
    "https://example.org/18",
    Style.APA: "Meier, K. (1887, March 14). Der neue Bahnhof. Grenzbote (Nr. 18), p. 3. Stadtarchiv. "
    "https://example.org/18",
    Style.ARCHIVAL: "Stadtarchiv, Grenzbote, Nr. 18: Karl Meier, Der neue Bahnhof, 14 March 1887, p. 3.",
    Style.GERMAN: "Karl Meier: Der neue Bahnhof, in: Grenzbote, 14. März 1887, S. 3, Nr. 18, Stadtarchiv, "
    "https://example.org/18",
}


def article(**more: object) -> Reference:
    found = reference(letter("N1", "Der neue Bahnhof", author="Meier, Karl", archiv="Stadtarchiv", signatur="Nr. 18"))
    on_page = (Extract(PassageId("N1#0-9"), pages=("3",)),)
    found = replace(found, kind=Kind.NEWSPAPER, container="Grenzbote", extracts=on_page, link="https://example.org/18")
    return replace(found, **more)


@pytest.mark.parametrize("style", Style)
def test_a_letter_is_cited_by_who_wrote_to_whom(style):
    assert citation(one(), style) == LETTER[style]


@pytest.mark.parametrize("style", Style)
def test_an_article_is_cited_by_its_title_and_the_newspaper(style):
    assert citation(article(), style) == ARTICLE[style]


@pytest.mark.parametrize(
    ("style", "cited"),
    [
        (Style.CHICAGO, "“Der neue Bahnhof,” Grenzbote, n.d., N1."),
        (Style.AUTHOR_DATE, "“Der neue Bahnhof.” n.d. Grenzbote. N1."),
        (Style.MLA, "“Der neue Bahnhof.” Grenzbote, n.d. N1."),
        (Style.APA, "Der neue Bahnhof. (n.d.). Grenzbote (N1)."),
        (Style.ARCHIVAL, "Grenzbote, N1: Der neue Bahnhof, undated."),
        (Style.GERMAN, "Der neue Bahnhof, in: Grenzbote, o. D., N1."),
    ],
)
def test_what_is_not_known_is_left_out_and_a_missing_date_is_said(style, cited):
    bare = article(authors=(), date=When(), archive="", shelfmark="", mark="N1", link="", extracts=())
    assert citation(bare, style) == cited


@pytest.mark.parametrize(
    ("written", "chicago", "apa"),
    [
        ("c. 1890", "c. 1890", "(c. 1890)"),
        ("[1912?]", "[1912?]", "([1912?])"),
        ("1887", "1887", "(1887)"),
        ("1887-03", "March 1887", "(1887, March)"),
        ("1887-03-14", "March 14, 1887", "(1887, March 14)"),
        ("1887-01/1887-06", "January 1887–June 1887", "(1887, January–1887, June)"),
        ("between 1880 and 1890", "between 1880 and 1890", "(between 1880 and 1890)"),
        ("1880s", "1880s", "(1880s)"),
        ("before 1900", "before 1900", "(before 1900)"),
        ("", "n.d.", "(n.d.)"),
    ],
)
def test_a_date_is_as_exact_as_it_is_known_and_no_more(written, chicago, apa):
    found = reference(letter("V1", "On bridges", written))
    assert citation(found) == f"“On bridges,” {chicago}, Papers of Élise, V1."
    assert apa in citation(found, Style.APA)


@pytest.mark.parametrize(
    ("written", "natural", "listed", "short"),
    [
        ("Hofmannsthal, Hugo von", "Hugo von Hofmannsthal", "Hofmannsthal, Hugo von", "Hofmannsthal, H. von"),
        ("von Bülow, Bernhard", "Bernhard von Bülow", "von Bülow, Bernhard", "von Bülow, B."),
        ("Gaulle, Charles de", "Charles de Gaulle", "Gaulle, Charles de", "Gaulle, C. de"),
        ("Sartre, Jean-Paul", "Jean-Paul Sartre", "Sartre, Jean-Paul", "Sartre, J.-P."),
        ("García Lorca, Federico", "Federico García Lorca", "García Lorca, Federico", "García Lorca, F."),
        ("Colby, Harriet, 1851-1920", "Harriet Colby", "Colby, Harriet", "Colby, H."),
        ("Hugo von Hofmannsthal", "Hugo von Hofmannsthal", "Hugo von Hofmannsthal", "Hugo von Hofmannsthal"),
        ("Foreign Office", "Foreign Office", "Foreign Office", "Foreign Office"),
        ("[Colby, H.?]", "[Colby, H.?]", "[Colby, H.?]", "[Colby, H.?]"),
        ("Ministère de l'Intérieur, Cabinet", *["Ministère de l'Intérieur, Cabinet"] * 3),
    ],
)
def test_a_name_is_inverted_only_where_the_archive_parts_it_by_a_comma(written, natural, listed, short):
    cited = article(authors=names_of(written))
    assert citation(cited).startswith(f"{natural}, “Der")
    assert citation(cited, Style.AUTHOR_DATE).startswith(listed)
    assert citation(cited, Style.APA).startswith(f"{short} (1887")


@pytest.mark.parametrize(
    ("names", "chicago", "mla", "german"),
    [
        ("Meier, Karl; Abt, Eva", "Karl Meier and Eva Abt, ", "Meier, Karl, and Eva Abt. ", "Karl Meier und Eva Abt: "),
        ("A, B; C, D; E, F", "B A, D C, and F E, ", "A, B, et al. ", "B A, D C und F E: "),
        ("A, B; C, D; E, F; G, H", "B A et al., ", "A, B, et al. ", "B A u. a.: "),
    ],
)  # fmt: skip
def test_of_many_names_the_first_are_told(names, chicago, mla, german):
    cited = article(authors=names_of(names))
    assert citation(cited).startswith(f"{chicago}“")
    assert citation(cited, Style.MLA).startswith(f"{mla}“")
    assert citation(cited, Style.GERMAN).startswith(f"{german}Der neue")
    assert citation(article(authors=names_of("A, B; C, D")), Style.APA).startswith("A, B., & C, D. (1887")


def test_a_letter_without_one_of_its_sides_is_cited_by_its_title():
    cited = one(recipients=())
    assert citation(cited) == (
        "Harriet Colby, “Harriet Colby to Élise Vautrin,” c. 1880, Papers of Élise, AM 5/3, Archives municipales."
    )
    assert citation(cited, Style.APA).startswith("Colby, H. (c. 1880). Harriet Colby to Élise Vautrin [Letter].")


@pytest.mark.parametrize(
    ("title", "cited"),
    [
        ("Who?", "“Who?” Grenzbote"),
        ("Really!", "“Really!” Grenzbote"),
        ("So", "“So,” Grenzbote"),
        ("News.", "“News,” Grenzbote"),
    ],
)
def test_no_comma_follows_a_title_that_ends_in_a_mark_of_its_own(title, cited):
    assert cited in citation(article(title=title))


def test_several_pages_and_pages_with_names_are_cited_as_such():
    pages = (Extract(PassageId("N1#0-9"), pages=("3", "4")),)
    assert ", pp. 3, 4," in citation(article(extracts=pages))
    assert ", S. 3, 4," in citation(article(extracts=pages), Style.GERMAN)
    named = (Extract(PassageId("N1#0-9"), pages=("front cover",)),)
    assert ", page front cover," in citation(article(extracts=named))
    assert ", Seite front cover," in citation(article(extracts=named), Style.GERMAN)


@pytest.mark.parametrize(
    ("name", "title", "file", "mark"),
    [
        ("CM-1883-03-03", "Minutes", "council.csv", ", CM-1883-03-03"),
        ("0123456789abcdef", "Minutes", "council.csv", ""),
        ("CM-1", "CM-1", "council.csv", ""),
        ("Grenzbote/1882-03-02", "Minutes", "home/Grenzbote/1882-03-02.txt", ""),
        ("issues/1858/DTL65", "Minutes", "home/issues/1858.zip", ""),
        ("lords/1909-2", "Minutes", "home/lords/1909.xml", ""),
    ],
)
def test_an_identifier_is_cited_where_it_is_the_archive_s_own(name, title, file, mark):
    card = letter(name, title)
    card = replace(card, provenance=replace(card.provenance, file=file))
    assert citation(reference(card)) == f"“{title},” March 14, 1887, Papers of Élise{mark}."


def test_the_full_stop_of_a_title_gives_way_to_a_comma():
    assert citation(article(title="News."), Style.GERMAN).startswith("Karl Meier: News, in: Grenzbote")
    assert ": Karl Meier, News, 14 March" in citation(article(title="News."), Style.ARCHIVAL)
    assert ": Karl Meier, News..., 14 March" in citation(article(title="News..."), Style.ARCHIVAL)
    assert "“News.” Grenzbote" in citation(article(title="News."), Style.MLA)


def test_the_archive_is_told_with_its_town_and_the_fonds_before_the_shelf_mark():
    card = letter(
        "L1", repository="Beinecke Library", institution="Yale", settlement="New Haven", fonds="MSS", shelf_mark="31"
    )
    assert citation(reference(card)).endswith("Papers of Élise, MSS, 31, Beinecke Library, Yale, New Haven.")
    doubled = letter("L1", repository="Stadtarchiv Köln", settlement="Köln", fonds="A", shelf_mark="31")
    assert citation(reference(doubled)).endswith("A, 31, Stadtarchiv Köln.")
